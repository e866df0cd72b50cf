import { type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { child, encodeText } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { placeOf, splitRanges } from '../../cell/address.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { describePrint, PAPERS } from '../../view/print-words.ts'
import { boxField, gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { parseLines } from '../rows/line-fields.ts'
import { ElementEdit } from './element-edit.ts'
import { fixedLines, fixedRange, setSheetName } from './sheet-names.ts'

/** Sets how a sheet is printed: only what is given changes. */
export function printSetup(editor: Editor, args: WorkbookArgs<'print_setup'>): OperationResult {
  const sheet = gridField(editor.book, args)
  const given = args.print
  const names = Object.keys(given)
  const strange = names.filter(name => !Object.hasOwn(SETTERS, name))
  if (names.length === 0 || strange.length > 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `print_setup needs print with some of ${Object.keys(SETTERS).join(', ')}${strange.length > 0 ? `, not ${strange.join(', ')}` : ''}`,
    )
  const place = `${placeOf(sheet.name, 'print set-up')}`
  const before = describePrint(editor.book, sheet)
  if (!editor.accepts(place)) return { op: 'print_setup', sheet: sheet.name, message: 'Left out.' }
  const work: PrintWork = { editor, sheet, page: new Map() }
  for (const name of names) SETTERS[name]!(work, given[name], name)
  finishPage(work)
  const after = describePrint(editor.book, sheet)
  editor.recordSheet(sheet, place, {
    kind: 'structure',
    before: { text: before },
    after: { text: after },
    carries: false,
  })
  return {
    op: 'print_setup',
    sheet: sheet.name,
    message: `${JSON.stringify(sheet.name)} prints with ${after}.`,
  }
}

interface PrintWork {
  readonly editor: Editor
  readonly sheet: Sheet
  /** Attributes of the page set-up. */
  readonly page: Map<string, string | undefined>
}

type Setter = (work: PrintWork, value: unknown, name: string) => void

const SETTERS: Readonly<Record<string, Setter>> = {
  area({ editor, sheet }, value) {
    const ranges = value === null ? [] : splitRanges(String(value))
    const boxes = ranges.map(area => boxField(sheet, { op: 'print_setup', area }, 'area'))
    const text = boxes.map(box => fixedRange(sheet, box)).join(',')
    setSheetName(editor, sheet, '_xlnm.Print_Area', boxes.length > 0 ? text : undefined)
  },
  title_rows: (work, value) => setTitles(work, 'rows', value),
  title_columns: (work, value) => setTitles(work, 'columns', value),
  orientation({ page }, value, name) {
    page.set('orientation', oneOf(value, ['portrait', 'landscape'], name))
  },
  paper({ page }, value, name) {
    const known = Object.entries(PAPERS).find(
      ([, own]) => own.toLowerCase() === String(value).toLowerCase(),
    )
    const number =
      typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
    if (!known && number === undefined)
      throw new Refusal('INVALID_ARGUMENT', `${name} is one of ${Object.values(PAPERS).join(', ')}`)
    page.set('paperSize', known?.[0] ?? String(number))
  },
  fit: setFit,
  scale({ page, editor, sheet }, value, name) {
    page.set('scale', String(numberIn(value, name, 10, 400)))
    setFitToPage(editor, sheet, false)
  },
  margins: setMargins,
  header: (work, value, name) => setHeader(work, 'oddHeader', value, name),
  footer: (work, value, name) => setHeader(work, 'oddFooter', value, name),
  center: (work, value) => {
    const both = value === true || value === false ? value : undefined
    const own = isFields(value) ? value : {}
    setOptions(work, {
      horizontalCentered: both ?? own.horizontally,
      verticalCentered: both ?? own.vertically,
    })
  },
  gridlines: (work, value) => setOptions(work, { gridLines: value }),
  headings: (work, value) => setOptions(work, { headings: value }),
}

/** The rows and columns that every page repeats: one name has both. */
function setTitles({ editor, sheet }: PrintWork, axis: 'rows' | 'columns', value: unknown): void {
  if (value !== null) parseLines(axis, value)
  const name = '_xlnm.Print_Titles'
  const { book } = editor
  const position = book.sheets.indexOf(sheet)
  const own = book.definedNames.find(each => each.localSheet === position && each.name === name)
  const isRows = (part: string) => /!\$?\d+:/.test(part)
  const kept = (own?.text.split(/,(?=(?:[^']*'[^']*')*[^']*$)/) ?? []).filter(
    part => isRows(part) !== (axis === 'rows'),
  )
  const parts = [...kept, ...(value === null ? [] : [fixedLines(sheet, String(value))])]
  const ordered = parts.sort((a, b) => Number(isRows(a)) - Number(isRows(b)))
  setSheetName(editor, sheet, name, ordered.length > 0 ? ordered.join(',') : undefined)
}

/** `{width: 1, height: 0}`: so many pages; 0 is as many as it takes. null: no fitting. */
function setFit({ editor, sheet, page }: PrintWork, value: unknown, name: string): void {
  const own = isFields(value) ? value : {}
  if (value !== null && own.width === undefined && own.height === undefined)
    throw new Refusal('INVALID_ARGUMENT', `${name} is {"width": 1, "height": 0} in pages, or null`)
  if (value !== null) {
    page.set('fitToWidth', String(numberIn(own.width ?? 0, name, 0, 1000)))
    page.set('fitToHeight', String(numberIn(own.height ?? 0, name, 0, 1000)))
  }
  setFitToPage(editor, sheet, value !== null)
}

function setFitToPage(editor: Editor, sheet: Sheet, isOn: boolean): void {
  const edit = ElementEdit.of(sheet, 'sheetPr')
  const own = child(edit.root, 'pageSetUpPr')
  if (!own && !isOn) return
  if (own) edit.set(own, 'fitToPage', isOn ? '1' : undefined)
  else
    edit.insert(edit.root, `<${edit.prefix}pageSetUpPr fitToPage="1"/>`, ['tabColor', 'outlinePr'])
  editor.onUndo(sheet.setAround('sheetPr', [edit.finish()]))
}

const MARGINS: Readonly<Record<string, number>> = {
  left: 0.7,
  right: 0.7,
  top: 0.75,
  bottom: 0.75,
  header: 0.3,
  footer: 0.3,
}

/** In inches; the schema wants all six. */
function setMargins({ editor, sheet }: PrintWork, value: unknown, name: string): void {
  const own = isFields(value) ? value : {}
  const strange = Object.keys(own).filter(side => !Object.hasOwn(MARGINS, side))
  if (Object.keys(own).length === 0 || strange.length > 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${name} has ${Object.keys(MARGINS).join(', ')} in inches`,
    )
  const edit = ElementEdit.of(sheet, 'pageMargins')
  for (const [side, standard] of Object.entries(MARGINS)) {
    const isSet = edit.root.attributes.some(each => each.name === side)
    if (own[side] !== undefined) edit.set(edit.root, side, String(numberIn(own[side], name, 0, 50)))
    else if (!isSet) edit.set(edit.root, side, String(standard))
  }
  editor.onUndo(sheet.setAround('pageMargins', [edit.finish()]))
}

/** `"Page &P of &N"` in the middle, or `{left, center, right}`; null takes it away. */
function setHeader(
  { editor, sheet }: PrintWork,
  local: 'oddHeader' | 'oddFooter',
  value: unknown,
  name: string,
): void {
  const parts = isFields(value) ? value : { center: value }
  const text = [
    ['L', parts.left],
    ['C', parts.center],
    ['R', parts.right],
  ]
    .filter(([, own]) => typeof own === 'string' && own !== '')
    .map(([side, own]) => `&${side}${String(own)}`)
    .join('')
  if (text.length > 255)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${name} has more than the 255 characters that Excel takes`,
    )
  const edit = ElementEdit.of(sheet, 'headerFooter')
  const own = child(edit.root, local)
  const xml = `<${edit.prefix}${local}>${encodeText(text)}</${edit.prefix}${local}>`
  if (text === '') edit.remove(own)
  else edit.setChild(local, xml, local === 'oddFooter' ? ['oddHeader'] : [])
  editor.onUndo(sheet.setAround('headerFooter', [edit.finish()]))
}

function setOptions({ editor, sheet }: PrintWork, options: Fields): void {
  const edit = ElementEdit.of(sheet, 'printOptions')
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (typeof value !== 'boolean')
      throw new Refusal('INVALID_ARGUMENT', 'center, gridlines and headings are true or false')
    edit.set(edit.root, name, value ? '1' : undefined)
  }
  editor.onUndo(sheet.setAround('printOptions', [edit.finish()]))
}

function finishPage({ editor, sheet, page }: PrintWork): void {
  if (page.size === 0) return
  const edit = ElementEdit.of(sheet, 'pageSetup')
  for (const [name, value] of page) edit.set(edit.root, name, value)
  editor.onUndo(sheet.setAround('pageSetup', [edit.finish()]))
}

function oneOf(value: unknown, words: readonly string[], name: string): string {
  const found = words.find(word => word === value)
  if (found) return found
  throw new Refusal('INVALID_ARGUMENT', `${name} is ${words.join(' or ')}`)
}

function numberIn(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new Refusal('INVALID_ARGUMENT', `${name} is a number from ${least} to ${most}`)
}
