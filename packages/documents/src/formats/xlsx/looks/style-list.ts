import { child, children, parseXml, type XmlDocument, type XmlElement } from '../../../opc/index.ts'

/** One list of a styles part: its fonts, fills or cell formats. It grows at its end, and equal entries are one. */
export class StyleList {
  /** The list's own name: `fonts`. */
  readonly local: string
  readonly #entries: readonly XmlElement[]
  readonly #bytes: Uint8Array | undefined
  readonly #added: { readonly text: string; readonly element: XmlElement }[] = []
  #known: Map<string, number> | undefined

  constructor(document: XmlDocument | undefined, local: string, entry: string) {
    this.local = local
    this.#entries = children(child(document?.root, local), entry)
    this.#bytes = document?.bytes
  }

  /** How many are in the file. */
  get count(): number {
    return this.#entries.length
  }

  get size(): number {
    return this.count + this.#added.length
  }

  get added(): readonly string[] {
    return this.#added.map(({ text }) => text)
  }

  at(index: number): XmlElement | undefined {
    return this.#entries[index] ?? this.#added[index - this.count]?.element
  }

  /** As it is written. */
  textAt(index: number): string {
    const own = this.#entries[index]
    if (!own || !this.#bytes) return this.#added[index - this.count]?.text ?? ''
    return Buffer.from(this.#bytes.subarray(own.start, own.end)).toString('utf8')
  }

  /** The index of an entry like that; a new one unless there is one. */
  add(text: string): number {
    const document = parseXml(Buffer.from(text))
    if (typeof document === 'string') throw new Error(`styles: ${document} in ${text}`)
    const key = keyOf(document.root)
    const known = this.#index().get(key)
    if (known !== undefined) return known
    this.#added.push({ text, element: document.root })
    this.#index().set(key, this.size - 1)
    return this.size - 1
  }

  /** A new entry, even if there is one like it. */
  append(text: string): number {
    const document = parseXml(Buffer.from(text))
    if (typeof document === 'string') throw new Error(`styles: ${document} in ${text}`)
    this.#added.push({ text, element: document.root })
    this.#known = undefined
    return this.size - 1
  }

  /** Drops added entries beyond that size. */
  forget(size: number): void {
    if (size >= this.size) return
    this.#added.length = size - this.count
    this.#known = undefined
  }

  #index(): Map<string, number> {
    if (!this.#known) {
      this.#known = new Map()
      for (let index = 0; index < this.size; index++) {
        const key = keyOf(this.at(index)!)
        if (!this.#known.has(key)) this.#known.set(key, index)
      }
    }
    return this.#known
  }
}

/** Equal for elements that say the same, whatever the order of their attributes. */
function keyOf(element: XmlElement): string {
  const attributes = element.attributes
    .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
    .sort()
  return `${element.local}(${attributes.join(' ')})[${element.children.map(keyOf).join('')}]`
}
