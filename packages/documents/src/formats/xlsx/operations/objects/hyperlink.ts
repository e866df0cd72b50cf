import type { Box } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import {
  boxName,
  cellKey,
  intersects,
  parseBox,
  placeOf,
  quoteSheet,
  splitSheet,
} from '../../cell/address.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { type CellLink, clearLinks, describeLink, linksOf, putLink } from '../../objects/links.ts'
import { LiveBook } from '../../objects/live-book.ts'
import { boxField, gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { styleAt } from '../rows/settle.ts'
import { changeParts, settledBook } from './change-parts.ts'
import { wrong } from './object-fields.ts'

/** Links cells to an address or to a place of the workbook, in place of the link they have. */
export function setHyperlink(editor: Editor, args: WorkbookArgs<'set_hyperlink'>): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, args)
  const box = boxField(sheet, args, 'cell')
  const link = linkField(book, args)
  const { text } = args
  const place = `${placeOf(sheet.name, boxName(box))} link`
  const result = {
    op: 'set_hyperlink',
    sheet: sheet.name,
    range: boxName(box),
    message: `${placeOf(sheet.name, boxName(box))} links to ${describeLink(link)}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const before = shownLinks(book, sheet, box)
  changeParts(editor, live => {
    const frame = live.sheet(sheet)
    clearLinks(live, frame, box)
    putLink(live, frame, box, link)
  })
  const made = book.sheets[sheet.id]!
  writeText(editor, made, box, text ?? shownWhereEmpty(book, made, box, link), place)
  editor.recordObject(place, {
    before: before === '' ? null : { text: before },
    after: { text: text === undefined ? describeLink(link) : `${text}: ${describeLink(link)}` },
    objects: [{ kind: 'link', sheet: sheet.id, box }],
    sheet: made,
    dependsOn: editor.writersOfCells(made, box),
  })
  return result
}

/** Takes links off cells; their text stays. */
export function removeHyperlink(
  editor: Editor,
  args: WorkbookArgs<'remove_hyperlink'>,
): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, args)
  const box = boxField(sheet, args, 'cell')
  const before = shownLinks(book, sheet, box)
  if (before === '')
    throw new Refusal(
      'NO_SUCH_REGION',
      `no cell of ${placeOf(sheet.name, boxName(box))} has a link`,
    )
  const place = `${placeOf(sheet.name, boxName(box))} link`
  const result = {
    op: 'remove_hyperlink',
    sheet: sheet.name,
    range: boxName(box),
    message: `Took the links off ${placeOf(sheet.name, boxName(box))}; the text stays.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => clearLinks(live, live.sheet(sheet), box))
  editor.recordObject(place, {
    before: { text: before },
    after: null,
    objects: [{ kind: 'link', sheet: sheet.id, box }],
    sheet: book.sheets[sheet.id]!,
  })
  return result
}

function shownLinks(book: Book, sheet: Sheet, box: Box): string {
  const live = new LiveBook(book)
  return linksOf(live, live.sheet(sheet))
    .filter(own => intersects(own.box, box))
    .map(own => `${boxName(own.box)}: ${describeLink(own)}`)
    .join('\n')
}

/** An empty cell shows where its link leads. */
function shownWhereEmpty(book: Book, sheet: Sheet, box: Box, link: CellLink): string | undefined {
  const first = { ...box, bottom: box.top, right: box.left }
  const cells = book.cellsIn(sheet, first)
  const cell = cells.ok ? cells.value.get(cellKey(box.top, box.left)) : undefined
  const isEmpty = !cell || (cell.content.type === 'empty' && !cell.formula)
  return isEmpty ? (link.url ?? link.location) : undefined
}

function writeText(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  text: string | undefined,
  place: string,
): void {
  if (text === undefined) return
  const style = styleAt(editor.book, sheet, box.top, box.left)
  const content = { type: 'text', value: text } as const
  editor.writeOwnCell(sheet, cellKey(box.top, box.left), { content, style }, place)
}

function linkField(book: Book, args: WorkbookArgs<'set_hyperlink'>): CellLink {
  const { url: given, location: where, tooltip } = args
  const isPlace = given?.startsWith('#')
  const location = where ?? (isPlace ? given!.slice(1) : undefined)
  const words = tooltip === undefined ? {} : { tooltip }
  if (location !== undefined) return { location: locationText(book, args, location), ...words }
  if (given === undefined || given.trim() === '')
    throw wrong(args, 'needs url, such as "https://example.org", or location, such as "Costs!A1"')
  return { url: urlText(args, given.trim()), ...words }
}

function urlText(args: WorkbookArgs<'set_hyperlink'>, url: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? []
  if (scheme && /^(?:javascript|vbscript|data)$/i.test(scheme))
    throw wrong(args, `a link with ${scheme}: would run code; send http, https, mailto or a file`)
  const address =
    scheme === undefined && /^[\w-]+(\.[\w-]+)+(\/|$)/.test(url) && /^www\./i.test(url)
      ? `https://${url}`
      : url
  return address.replaceAll(' ', '%20')
}

function locationText(book: Book, args: WorkbookArgs<'set_hyperlink'>, location: string): string {
  const { sheet: named, address } = splitSheet(location.replace(/^#/, ''))
  const isName = book.definedNames.some(({ name }) => name.toLowerCase() === location.toLowerCase())
  if (isName) return location
  const sheet = book.sheet(named ?? address)
  if (named === undefined && sheet) return `${quoteSheet(sheet.name)}!A1`
  if (sheet && parseBox(address)) return `${quoteSheet(sheet.name)}!${address}`
  const names = book.sheets.map(own => own.name).slice(0, 20)
  throw wrong(
    args,
    `location ${JSON.stringify(location)} is no place such as "${names[0]}!A1"; the sheets are ${names.join(', ')}`,
  )
}
