import type { OperationResult } from '../../../../format.ts'
import { attribute, child } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { treeOf } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { isTrue } from '../../book/workbook-part.ts'
import { ALLOWED } from '../../declared/objects.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { ensureInWorkbook } from '../../objects/workbook-elements.ts'
import { sheetField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { changeParts, settledBook } from './change-parts.ts'
import { wrong } from './object-fields.ts'

/** Allowed unless the file says otherwise. */
const USUAL = new Set<string>(['selectLockedCells', 'selectUnlockedCells', 'objects', 'scenarios'])

/** Protects a sheet, or without one the list of sheets; without a password, which a log would keep. */
export function protect(editor: Editor, args: WorkbookArgs<'protect'>): OperationResult {
  const book = settledBook(editor)
  if (args.password !== undefined)
    throw wrong(
      args,
      'a password cannot be set here, since it would stand in the log; protect without one, and let the person set it in Excel',
    )
  if (args.sheet === undefined) return protectStructure(editor)
  const sheet = sheetField(book, args)
  if (sheet.kind !== 'worksheet') throw wrong(args, `a ${sheet.kind} is protected in Excel`)
  const allowed = [args.allow ?? []].flat()
  const place = `sheet ${sheet.name} protection`
  const shown = allowed.length === 0 ? 'protected' : `protected; allowed: ${allowed.join(', ')}`
  const result = {
    op: 'protect',
    sheet: sheet.name,
    message: `The sheet ${JSON.stringify(sheet.name)} is ${shown}. Locked cells, as all are unless their format says otherwise, cannot be typed into.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const before = isProtected(sheet)
  changeParts(editor, live => {
    const frame = live.sheet(sheet)
    const node = frame.ensure('sheetProtection')
    frame.tree.setAttribute(node, 'sheet', '1')
    for (const [word, name] of Object.entries(ALLOWED)) {
      const isAllowed = allowed.includes(word as keyof typeof ALLOWED)
      const isUsual = USUAL.has(name)
      const written = isUsual
        ? (name === 'objects' || name === 'scenarios') && !isAllowed
          ? '1'
          : undefined
        : isAllowed
          ? '0'
          : undefined
      frame.tree.setAttribute(node, name, written)
    }
  })
  record(editor, place, before ? 'protected' : undefined, shown, book.sheets[sheet.id]!)
  return result
}

export function unprotect(editor: Editor, args: WorkbookArgs<'unprotect'>): OperationResult {
  const book = settledBook(editor)
  if (args.sheet === undefined) return unprotectStructure(editor)
  const sheet = sheetField(book, args)
  if (!isProtected(sheet))
    throw new Refusal('NO_SUCH_REGION', `the sheet ${JSON.stringify(sheet.name)} is not protected`)
  const place = `sheet ${sheet.name} protection`
  const result = {
    op: 'unprotect',
    sheet: sheet.name,
    message: `The sheet ${JSON.stringify(sheet.name)} is not protected any more.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => live.sheet(sheet).remove('sheetProtection'))
  record(editor, place, 'protected', undefined, book.sheets[sheet.id]!)
  return result
}

function isProtected(sheet: Sheet): boolean {
  const xml = sheet.xml()
  return xml.ok && isTrue(attribute(treeOf(xml.value, 'sheetProtection'), 'sheet'))
}

const STRUCTURE = 'workbook structure'

function protectStructure(editor: Editor): OperationResult {
  const result = {
    op: 'protect',
    message:
      'The list of sheets is protected: none can be added, deleted, renamed, moved or hidden.',
  }
  if (!editor.accepts(STRUCTURE)) return { ...result, message: 'Left out.' }
  const before = editor.book.part.isStructureProtected
  changeParts(editor, live => {
    live.workbook.setAttribute(ensureInWorkbook(live, 'workbookProtection'), 'lockStructure', '1')
  })
  record(editor, STRUCTURE, before ? 'protected' : undefined, 'protected')
  return result
}

function unprotectStructure(editor: Editor): OperationResult {
  const { part } = editor.book
  if (!part.isStructureProtected)
    throw new Refusal(
      'NO_SUCH_REGION',
      'the structure of the workbook is not protected; name a sheet to unprotect that',
    )
  const result = { op: 'unprotect', message: 'The list of sheets is not protected any more.' }
  if (!editor.accepts(STRUCTURE)) return { ...result, message: 'Left out.' }
  const hasWindows = isTrue(
    attribute(child(part.document.root, 'workbookProtection'), 'lockWindows'),
  )
  changeParts(editor, live => {
    const node = live.workbook.root.child('x:workbookProtection')!
    if (hasWindows) live.workbook.setAttribute(node, 'lockStructure', undefined)
    else live.workbook.remove(node)
  })
  record(editor, STRUCTURE, 'protected', undefined)
  return result
}

function record(
  editor: Editor,
  place: string,
  before: string | undefined,
  after: string | undefined,
  sheet?: Sheet,
): void {
  editor.recordObject(place, {
    before: before === undefined ? null : { text: before },
    after: after === undefined ? null : { text: after },
    objects: [{ kind: 'protection', name: sheet?.name ?? '' }],
    ...(sheet && { sheet }),
  })
}
