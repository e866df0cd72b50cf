import { counted } from '@filewright/protocol'
import { attribute, prefixedAttribute } from '../../../opc/index.ts'
import { type Book, elementsOf } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import type { WorkbookPart } from '../book/workbook-part.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { LiveBook } from '../objects/live-book.ts'
import { PROPERTIES, readProperty } from '../objects/properties.ts'
import { relationshipsOf, type SheetPicture } from '../parts/sheet-parts.ts'
import { listed } from './read.ts'

const SHOWN = 12

export interface ShownLink {
  readonly range: string
  readonly target: string
}

/** Links of cells, with where they lead. */
export function cellLinks(
  book: WorkbookPart,
  sheet: Sheet,
  xml: SheetXml,
  rewrite: (formula: string) => string,
): readonly ShownLink[] {
  const targets = new Map(relationshipsOf(book, sheet).map(({ id, target }) => [id, target]))
  return elementsOf(xml, 'hyperlinks').flatMap(own => {
    const range = attribute(own, 'ref')
    if (range === undefined) return []
    const id = prefixedAttribute(own, 'id')
    const location = attribute(own, 'location')
    const target = [
      ...(id === undefined ? [] : [targets.get(id) ?? '']),
      ...(location === undefined ? [] : [`#${rewrite(location)}`]),
    ].join('')
    return [{ range, target }]
  })
}

export function linkLines(links: readonly ShownLink[]): string[] {
  if (links.length === 0) return []
  const shown = links.map(({ range, target }) => `${range} to ${clipped(target)}`)
  return [
    `${links.length === 1 ? '1 hyperlink' : `${links.length} hyperlinks`}: ${listed(shown, SHOWN)}`,
  ]
}

export function pictureLines(pictures: readonly SheetPicture[]): string[] {
  if (pictures.length === 0) return []
  const shown = pictures.map(
    ({ name, alt, anchor }) =>
      `${JSON.stringify(name)}${anchor ? ` at ${anchor}` : ''}${alt ? ` (${clipped(alt)})` : ''}`,
  )
  return [
    `${pictures.length === 1 ? '1 image' : `${pictures.length} images`}: ${listed(shown, SHOWN)}`,
  ]
}

/** Title, author and the like, where the workbook has them. */
export function propertyLines(book: Book): string[] {
  const live = new LiveBook(book)
  const shown = Object.keys(PROPERTIES).flatMap(name => {
    const value = readProperty(live, name)
    return value === undefined ? [] : [`${name} ${JSON.stringify(clipped(value))}`]
  })
  return shown.length === 0 ? [] : [`properties: ${shown.join(', ')}`]
}

/** The first lines about objects of a kind, and how many more there are. */
export function firstOf(noun: string, lines: readonly string[]): readonly string[] {
  const more = lines.length - SHOWN
  return more > 0 ? [...lines.slice(0, SHOWN), `and ${counted(more, `more ${noun}`)}`] : lines
}

const MOST_LETTERS = 80

function clipped(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text
}
