import type { ChangeId, Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import type { Book } from '../book/book.ts'
import { newSheetBytes } from '../book/new-sheet.ts'
import { rewriteFormulas } from '../book/rewrites.ts'
import { Sheet, type SheetSource } from '../book/sheet.ts'
import { usedBox } from '../book/used.ts'
import type { DefinedName, SheetVisibility } from '../book/workbook-part.ts'
import { findUnholdable } from '../cell/unholdable.ts'
import { pivotsOf, tablesOf } from '../parts/sheet-parts.ts'
import { findSlicer } from '../parts/slicers.ts'
import { dropSheetIn, renameSheetIn } from '../places/rewrites.ts'
import { dropTableIn } from '../table/table-rewrites.ts'
import { listed } from '../view/read.ts'
import { copySheetBytes } from '../write/splice-sheet.ts'
import { sheetField, textField } from './arguments.ts'
import { copiedNames } from './copied-names.ts'
import type { Editor } from './editor.ts'
import { leftNames } from './left-names.ts'
import { findReferring } from './referring.ts'

export function ensureSheet(editor: Editor, fields: Fields): OperationResult {
  const { book } = editor
  const name = textField({ ...fields, sheet: fields.sheet ?? fields.name }, 'sheet', 'Summary')
  const known = book.sheet(name)
  if (known)
    return {
      op: 'ensure_sheet',
      sheet: known.name,
      isNew: false,
      message: `The sheet ${JSON.stringify(known.name)} already exists.`,
    }
  refuseBadName(name)
  const place = `sheet ${name}`
  if (!editor.accepts(place))
    return { op: 'ensure_sheet', sheet: name, isNew: false, message: 'Left out.' }
  const index = indexField(editor, fields, book.sheets.length)
  const source = {
    from: 'bytes',
    bytes: newSheetBytes(book.part.isStrict, book.part.styles().look(0).size),
  } as const
  const sheet = takeBlank(editor, name) ?? addSheet(editor, name, source, index)
  editor.recordSheet(sheet, place, {
    kind: 'sheet',
    before: null,
    after: { text: name },
    dependsOn: [...editor.writerOfName(name), ...writersOfIndex(editor, fields)],
    carries: true,
  })
  editor.noteList(place)
  editor.noteVisibility(sheet, place)
  return {
    op: 'ensure_sheet',
    sheet: name,
    isNew: true,
    message: `Added the sheet ${JSON.stringify(name)}.`,
  }
}

/**
 * A new workbook needs a sheet before it is asked for one; that sheet is not left beside it. Looked at again, because the
 * rest of a draft that was published in part goes on from another base.
 */
function takeBlank(editor: Editor, name: string): Sheet | undefined {
  const [sheet, ...others] = editor.book.sheets
  const used = sheet && editor.isOnBlank && others.length === 0 ? usedBox(sheet) : undefined
  if (!sheet || !used?.ok || used.value) return undefined
  const { book } = editor
  const before = sheet.name
  sheet.name = name
  book.replacedBlank = before
  editor.onUndo(() => {
    sheet.name = before
    book.replacedBlank = undefined
  })
  return sheet
}

export function deleteSheet(editor: Editor, fields: Fields): OperationResult {
  return deleteReplaced(editor.book, fields) ?? deleteHeld(editor, fields)
}

/** Models make a sheet and then delete the one that a new workbook usually has. */
function deleteReplaced(book: Book, { sheet }: Fields): OperationResult | undefined {
  const blank = book.replacedBlank
  if (blank === undefined || sheet !== blank || book.sheet(blank)) return undefined
  return {
    op: 'delete_sheet',
    sheet: blank,
    message: `There is no sheet ${JSON.stringify(blank)}: the new workbook began with the sheet that was made first.`,
  }
}

function deleteHeld(editor: Editor, fields: Fields): OperationResult {
  const { book } = editor
  const sheet = sheetField(book, fields)
  const left = book.sheets.filter(own => own !== sheet)
  if (!left.some(isShown))
    throw new Refusal(
      'CONFLICT',
      `the sheet ${JSON.stringify(sheet.name)} is the only visible one, and a workbook needs one; add or show another first`,
    )
  const { name } = sheet
  const place = `sheet ${name}`
  const dependsOn = writersOfLastVisible(editor, sheet)
  if (!editor.accepts(place)) return { op: 'delete_sheet', sheet: name, message: 'Left out.' }
  const isSheet = sheetNames(book)
  const { places, end, freed } = findReferring(book, sheet, isSheet)
  refuseSheetRanges(sheet, end)
  refuseSlicers(book, sheet)
  const index = book.sheets.indexOf(sheet)
  const names = book.definedNames
  const onUndo = (step: () => void) => editor.onUndo(step)
  const tables = tablesOf(book.part, sheet).map(table => table.name)
  const broken =
    places.length === 0 ? undefined : `References to it now read #REF!: ${listed(places, 5)}`
  setSheets(editor, left)
  rewriteFormulas(book, onUndo, {
    mentions: mention(name),
    rewrite: formula => dropSheetIn(formula, name, isSheet) ?? formula,
  })
  for (const table of tables)
    rewriteFormulas(book, onUndo, {
      mentions: mention(table),
      rewrite: formula => dropTableIn(formula, table),
    })
  setNames(
    editor,
    names
      .filter(own => own.localSheet !== index)
      .map(own => ({
        ...own,
        text: tables.reduce(dropTableIn, dropSheetIn(own.text, name, isSheet) ?? own.text),
        localSheet:
          own.localSheet !== undefined && own.localSheet > index
            ? own.localSheet - 1
            : own.localSheet,
      })),
  )
  editor.recordSheet(sheet, place, {
    kind: 'sheet',
    before: { text: name },
    after: null,
    dependsOn: [...dependsOn, ...freed.flatMap(own => editor.writersOfCells(own.sheet, own.box))],
    ...(broken !== undefined && { description: broken }),
    carries: true,
  })
  editor.noteList(place)
  editor.noteFreed(name, place)
  if (broken !== undefined) editor.warnings.push(`${broken}.`)
  editor.warnings.push(...leftNames(book, name))
  return { op: 'delete_sheet', sheet: name, message: `Deleted the sheet ${JSON.stringify(name)}.` }
}

export function renameSheet(editor: Editor, fields: Fields): OperationResult {
  const { book } = editor
  const sheet = sheetField(book, fields)
  const to = textField(
    { ...fields, new_name: fields.new_name ?? fields.to ?? fields.name },
    'new_name',
    'Summary',
  )
  const from = sheet.name
  if (to === from)
    return {
      op: 'rename_sheet',
      sheet: to,
      message: `The sheet is already called ${JSON.stringify(to)}.`,
    }
  refuseBadName(to)
  const other = book.sheet(to)
  if (other && other !== sheet)
    throw new Refusal(
      'CONFLICT',
      `a sheet called ${JSON.stringify(other.name)} already exists; choose another name`,
    )
  const place = `sheet ${from}`
  if (!editor.accepts(place)) return { op: 'rename_sheet', sheet: from, message: 'Left out.' }
  const isSheet = sheetNames(book)
  const rename = (formula: string) => renameSheetIn(formula, from, to, isSheet)
  sheet.name = to
  editor.onUndo(() => {
    sheet.name = from
  })
  rewriteFormulas(book, step => editor.onUndo(step), { mentions: mention(from), rewrite: rename })
  setNames(
    editor,
    book.definedNames.map(own => ({ ...own, text: rename(own.text) })),
  )
  editor.recordSheet(sheet, place, {
    kind: 'sheet',
    before: { text: from },
    after: { text: to },
    dependsOn: editor.writerOfName(to),
    carries: true,
  })
  editor.noteFreed(from, place)
  editor.warnings.push(...leftNames(book, from))
  return {
    op: 'rename_sheet',
    sheet: to,
    message: `Renamed the sheet ${JSON.stringify(from)} to ${JSON.stringify(to)}; formulas follow.`,
  }
}

export function moveSheet(editor: Editor, fields: Fields): OperationResult {
  const { book } = editor
  const sheet = sheetField(book, fields)
  const to = indexField(editor, fields, -1)
  if (to < 0)
    throw new Refusal('INVALID_ARGUMENT', 'move_sheet needs index, the new position counted from 0')
  const from = book.sheets.indexOf(sheet)
  const place = `sheet ${sheet.name}`
  if (!editor.accepts(place)) return { op: 'move_sheet', sheet: sheet.name, message: 'Left out.' }
  const order = book.sheets.filter(own => own !== sheet)
  order.splice(Math.min(to, order.length), 0, sheet)
  moveTo(editor, order)
  const index = order.indexOf(sheet)
  editor.recordSheet(sheet, place, {
    kind: 'sheet',
    before: { text: `position ${from}` },
    after: { text: `position ${index}` },
    dependsOn: editor.writersOfList(),
    carries: false,
  })
  editor.noteList(place)
  return {
    op: 'move_sheet',
    sheet: sheet.name,
    index,
    message: `Moved the sheet ${JSON.stringify(sheet.name)} from position ${from} to ${index}.`,
  }
}

export function copySheet(editor: Editor, fields: Fields): OperationResult {
  const { book } = editor
  const sheet = sheetField(book, fields)
  if (sheet.kind !== 'worksheet')
    throw new Refusal(
      'CONFLICT',
      `the sheet ${JSON.stringify(sheet.name)} is a ${sheet.kind}, and only worksheets are copied`,
    )
  const to = textField(
    { ...fields, new_name: fields.new_name ?? fields.to ?? fields.name },
    'new_name',
    `${sheet.name} (2)`,
  )
  refuseBadName(to)
  if (book.sheet(to))
    throw new Refusal(
      'CONFLICT',
      `a sheet called ${JSON.stringify(to)} already exists; choose another name`,
    )
  const place = `sheet ${to}`
  if (!editor.accepts(place)) return { op: 'copy_sheet', sheet: to, message: 'Left out.' }
  const copied = copySheetBytes(book, sheet, to)
  if (!copied.ok) throw new Refusal('UNREADABLE_FORMAT', copied.failure.message)
  const left = [...copied.value.left, ...leftOutside(book, sheet)]
  const names = copiedNames(book, sheet, to)
  const index = indexField(editor, fields, book.sheets.indexOf(sheet) + 1)
  const copy = addSheet(editor, to, { from: 'bytes', bytes: copied.value.bytes }, index)
  if (names.length > 0) {
    const localSheet = book.sheets.indexOf(copy)
    setNames(editor, [...book.definedNames, ...names.map(own => ({ ...own, localSheet }))])
  }
  const from = sheet.name
  editor.recordSheet(copy, place, {
    kind: 'sheet',
    before: null,
    after: { text: to },
    dependsOn: [
      ...editor.writersOn(sheet),
      ...editor.writerOfName(to),
      ...writersOfIndex(editor, fields),
    ],
    description: `copy of ${from}${left.length > 0 ? `, without ${left.join(', ')}` : ''}`,
    carries: true,
  })
  editor.noteList(place)
  editor.noteVisibility(copy, place)
  if (left.length > 0)
    editor.warnings.push(`Not copied to ${JSON.stringify(to)}: ${left.join(', ')}.`)
  return {
    op: 'copy_sheet',
    sheet: to,
    message: `Copied the sheet ${JSON.stringify(from)} to ${JSON.stringify(to)}${ownNames(names)}.`,
  }
}

function ownNames(names: readonly { readonly name: string }[]): string {
  const shown = names.map(own => own.name).filter(name => !name.startsWith('_xlnm.'))
  return shown.length > 0 ? `, with its own names: ${listed(shown, 5)}` : ''
}

/** Objects that belong to a sheet but are not in its part. */
function leftOutside(book: Book, sheet: Sheet): string[] {
  const pivots = pivotsOf(book.part, sheet, text => text)
  return pivots.length > 0 ? ['pivot tables (their cells are copied)'] : []
}

export function setVisibility(editor: Editor, sheet: Sheet, visibility: SheetVisibility): void {
  const { book } = editor
  const before = sheet.visibility
  if (before === visibility) return
  if (visibility !== 'visible' && !book.sheets.some(own => own !== sheet && isShown(own)))
    throw new Refusal(
      'CONFLICT',
      `the sheet ${JSON.stringify(sheet.name)} is the only visible one, so it cannot be hidden`,
    )
  const place = `sheet ${sheet.name}`
  if (!editor.accepts(place)) return
  const dependsOn = [
    ...editor.writerOfVisibility(sheet),
    ...(visibility === 'visible' ? [] : writersOfLastVisible(editor, sheet)),
  ]
  sheet.visibility = visibility
  editor.onUndo(() => {
    sheet.visibility = before
  })
  editor.recordSheet(sheet, place, {
    kind: 'sheet',
    before: { text: before },
    after: { text: visibility },
    dependsOn,
    carries: false,
  })
  editor.noteVisibility(sheet, place)
}

/** A sheet that is only listed has nothing to show. */
function isShown(sheet: Sheet): boolean {
  return sheet.visibility === 'visible' && sheet.isInFile
}

/**
 * A workbook keeps one visible sheet: if all others were made visible in this draft, the change that did so for one of
 * them.
 */
function writersOfLastVisible(editor: Editor, sheet: Sheet): readonly ChangeId[] {
  const writers = editor.book.sheets
    .filter(own => own !== sheet && isShown(own))
    .map(own => editor.writerOfVisibility(own))
  return writers.find(own => own.length === 0) ?? writers[0] ?? []
}

function addSheet(editor: Editor, name: string, source: SheetSource, index: number): Sheet {
  const { book } = editor
  const id = book.nextSheetId()
  const sheet = new Sheet(book.part.package, book.writes, {
    id,
    name,
    visibility: 'visible',
    kind: 'worksheet',
    source,
    firstRewrite: book.rewrites.length,
  })
  const order = [...book.sheets]
  order.splice(index, 0, sheet)
  moveTo(editor, order)
  return sheet
}

/** Names local to a sheet follow it to its new position. */
function moveTo(editor: Editor, order: readonly Sheet[]): void {
  const { book } = editor
  const before = book.sheets
  setSheets(editor, order)
  if (!book.definedNames.some(own => own.localSheet !== undefined)) return
  setNames(
    editor,
    book.definedNames.map(own => {
      const sheet = own.localSheet === undefined ? undefined : before[own.localSheet]
      return sheet ? { ...own, localSheet: order.indexOf(sheet) } : own
    }),
  )
}

function setSheets(editor: Editor, sheets: readonly Sheet[]): void {
  editor.onUndo(editor.book.change({ sheets }))
}

function setNames(editor: Editor, names: readonly DefinedName[]): void {
  editor.onUndo(editor.book.change({ definedNames: names }))
}

/** A range of sheets that ends at the deleted one has no unambiguous meaning. */
function refuseSheetRanges(sheet: Sheet, end: string | undefined): void {
  if (end !== undefined)
    throw new Refusal(
      'CONFLICT',
      `the sheet ${JSON.stringify(sheet.name)} is one end of a range of sheets in ${end}; change that formula first`,
    )
}

/** Excel calls a file damaged if a slicer's source is gone. */
function refuseSlicers(book: Book, sheet: Sheet): void {
  const slicer = findSlicer(book, sheet)
  if (slicer !== undefined)
    throw new Refusal(
      'CONFLICT',
      `the sheet ${JSON.stringify(sheet.name)} holds the table or pivot table that the slicer or timeline ${slicer} filters, and would leave it without one; hide the sheet, or ask the person to delete the slicer in a spreadsheet program first`,
    )
}

function refuseBadName(name: string): void {
  const problem =
    name.length > 31
      ? `it has ${name.length} characters, and 31 are allowed`
      : /[[\]:*?/\\]/.test(name)
        ? 'it holds one of [ ] : * ? / \\'
        : /^'|'$/.test(name)
          ? 'it starts or ends with an apostrophe'
          : name.trim() === ''
            ? 'it is empty'
            : /^history$/i.test(name)
              ? 'Excel keeps "History" for itself'
              : /[\u0000-\u001f]/.test(name)
                ? 'it holds a control character'
                : findUnholdable(name) !== undefined
                  ? `it holds ${findUnholdable(name)}, which no workbook can hold`
                  : undefined
  if (problem)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `a sheet cannot be called ${JSON.stringify(name)}: ${problem}`,
    )
}

/** A position counts the sheets before it. */
function writersOfIndex(editor: Editor, { index, position }: Fields): readonly ChangeId[] {
  return (index ?? position) === undefined ? [] : editor.writersOfList()
}

function indexField(editor: Editor, fields: Fields, otherwise: number): number {
  const { book } = editor
  const value = fields.index ?? fields.position
  if (value === undefined) return otherwise
  // There are fewer positions when a new sheet was refused.
  if (editor.isReplay) return Math.min(Number(value), book.sheets.length)
  if (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= 0 &&
    value <= book.sheets.length
  )
    return value
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: index ${JSON.stringify(value)} is not a position between 0 and ${book.sheets.length}`,
  )
}

/** The sheets under their current names, whatever they are called when formulas are read. */
function sheetNames({ sheets }: Book): (name: string) => boolean {
  const names = new Set(sheets.map(({ name }) => name.toLowerCase()))
  return name => names.has(name.toLowerCase())
}

function mention(name: string): string {
  return name.replaceAll("'", "''").toLowerCase()
}
