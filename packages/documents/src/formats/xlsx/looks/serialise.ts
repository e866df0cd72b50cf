import { encodeAttribute, type XmlElement } from '../../../opc/index.ts'

/** An element as XML again; only for elements that hold no text. */
export function serialise(element: XmlElement | undefined): string {
  if (!element) return ''
  const shown = element.attributes.map(({ name, value }) => ` ${name}="${encodeAttribute(value)}"`)
  const open = `<${element.name}${shown.join('')}`
  return element.children.length === 0
    ? `${open}/>`
    : `${open}>${element.children.map(serialise).join('')}</${element.name}>`
}
