import type { Box } from '@filewright/protocol'
import type { Sheet } from '../../book/sheet.ts'
import type { DefinedName } from '../../book/workbook-part.ts'
import { columnName, quoteSheet } from '../../cell/address.ts'
import type { Editor } from '../editor.ts'

/** A name that programs use for a sheet's filter or print set-up. */
export function sheetName(editor: Editor, sheet: Sheet, name: string): DefinedName | undefined {
  const position = editor.book.sheets.indexOf(sheet)
  return editor.book.definedNames.find(
    own => own.localSheet === position && own.name.toLowerCase() === name.toLowerCase(),
  )
}

/** Sets such a name; undefined takes it away. */
export function setSheetName(
  editor: Editor,
  sheet: Sheet,
  name: string,
  text: string | undefined,
  isHidden = false,
): void {
  const { book } = editor
  const own = sheetName(editor, sheet, name)
  if (own?.text === text) return
  const before = book.definedNames
  const others = before.filter(each => each !== own)
  const next = 1 + before.reduce((last, each) => Math.max(last, each.index), -1)
  const index = own?.index ?? Math.max(next, book.part.definedNames.length)
  const localSheet = book.sheets.indexOf(sheet)
  const added =
    text === undefined ? [] : [{ index, name: own?.name ?? name, localSheet, isHidden, text }]
  const definedNames = [...others, ...added].sort((a, b) => a.index - b.index)
  editor.onUndo(book.change({ definedNames }))
}

/** `'My sheet'!$A$1:$D$20` */
export function fixedRange(sheet: Sheet, box: Box): string {
  const cell = (row: number, column: number) => `$${columnName(column)}$${row}`
  return `${quoteSheet(sheet.name)}!${cell(box.top, box.left)}:${cell(box.bottom, box.right)}`
}

/** `Sales!$1:$2` */
export function fixedLines(sheet: Sheet, lines: string): string {
  const [first, last = first] = lines.replaceAll('$', '').toUpperCase().split(':')
  return `${quoteSheet(sheet.name)}!$${first}:$${last}`
}
