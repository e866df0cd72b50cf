/** Counts the writes to a workbook: what was derived from it holds until the next one. */
export class WriteCount {
  #count = 0

  get count(): number {
    return this.#count
  }

  note(): void {
    this.#count++
  }
}

/** Each change of an entry is a write. */
export class WrittenMap<Key, Value> extends Map<Key, Value> {
  readonly #writes: WriteCount

  constructor(writes: WriteCount) {
    super()
    this.#writes = writes
  }

  override set(key: Key, value: Value): this {
    this.#writes.note()
    return super.set(key, value)
  }

  override delete(key: Key): boolean {
    this.#writes.note()
    return super.delete(key)
  }

  override clear(): void {
    this.#writes.note()
    super.clear()
  }
}
