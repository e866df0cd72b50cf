/**
 * A list that grows at its end. `with` returns a longer list and leaves this one unchanged; both share their common
 * items, so that the thousandth item costs no more than the first.
 */
export class GrowingList<Item> implements Iterable<Item> {
  static readonly #none = new GrowingList<never>([], 0)

  static of<Item>(items: readonly Item[] = []): GrowingList<Item> {
    return items.length === 0 ? GrowingList.#none : new GrowingList([...items], items.length)
  }

  readonly length: number
  /** Shared by all lists that grew out of one another; this list has the first `length` items. */
  readonly #shared: Item[]

  private constructor(shared: Item[], length: number) {
    this.#shared = shared
    this.length = length
  }

  with(items: readonly Item[]): GrowingList<Item> {
    const shared = this.length === 0 ? [] : this.#shared
    const length = this.length + items.length
    // a list that was tried on the way here may have left the same items behind
    let known = 0
    while (known < items.length && shared[this.length + known] === items[known]) known++
    if (known === items.length) return new GrowingList(shared, length)
    if (this.length + known < shared.length) return GrowingList.of([...this, ...items])
    for (const item of items.slice(known)) shared.push(item)
    return new GrowingList(shared, length)
  }

  at(index: number): Item | undefined {
    const place = index < 0 ? this.length + index : index
    return place >= 0 && place < this.length ? this.#shared[place] : undefined
  }

  slice(from = 0): Item[] {
    return this.#shared.slice(from, this.length)
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let i = 0; i < this.length; i++) yield this.#shared[i]!
  }
}
