import {
  child,
  encodeAttribute,
  parseXml,
  prefixOf,
  Splices,
  type XmlElement,
} from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { aroundTexts } from '../../book/around.ts'
import type { Sheet } from '../../book/sheet.ts'
import { setAttribute } from '../../book/splice-rows.ts'

/** Edits of one element next to the cells; what they do not name keeps its bytes. */
export class ElementEdit {
  readonly root: XmlElement
  readonly prefix: string
  readonly #bytes: Uint8Array
  readonly #splices = new Splices()
  /** Tags without content that get some. */
  readonly #opened = new Map<XmlElement, string>()

  constructor(text: string) {
    const document = parseXml(Buffer.from(text))
    if (typeof document === 'string')
      throw new Refusal('UNREADABLE_FORMAT', `a part of the sheet is not well-formed: ${document}`)
    this.root = document.root
    this.prefix = prefixOf(document.root)
    this.#bytes = document.bytes
  }

  /** The sheet's own element of that name, or a new one. */
  static of(sheet: Sheet, local: string): ElementEdit {
    const [text] = aroundTexts(sheet, local)
    const xml = sheet.xml()
    return new ElementEdit(text ?? `<${xml.ok ? xml.value.prefix : ''}${local}/>`)
  }

  set(element: XmlElement, name: string, value: string | undefined): void {
    setAttribute(
      this.#splices,
      element,
      0,
      name,
      value === undefined ? undefined : encodeAttribute(value),
    )
  }

  remove(element: XmlElement | undefined): void {
    if (element) this.#splices.remove(element.start, element.end)
  }

  replace(element: XmlElement, text: string): void {
    this.#splices.replace(element.start, element.end, text)
  }

  /** Sets a child of the root; `order`: the locals that the schema puts before it. */
  setChild(local: string, text: string, before: readonly string[]): void {
    const own = child(this.root, local)
    if (own) this.replace(own, text)
    else this.insert(this.root, text, before)
  }

  /** After the last child that comes before it. */
  insert(parent: XmlElement, text: string, before: readonly string[]): void {
    if (parent.isEmptyTag) {
      this.#opened.set(parent, `${this.#opened.get(parent) ?? ''}${text}`)
      return
    }
    const last = parent.children.findLast(({ local }) => before.includes(local))
    this.#splices.insert(last?.end ?? parent.openEnd, text)
  }

  /** The element with its edits. */
  finish(): string {
    for (const [parent, text] of this.#opened)
      this.#splices.replace(parent.end - 2, parent.end, `>${text}</${parent.name}>`)
    this.#opened.clear()
    return Buffer.from(this.#splices.apply(this.#bytes)).toString('utf8')
  }
}
