import { similarNames } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { encodeAttribute, encodeText } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Book, FormulaPlace } from '../../book/book.ts'
import type { DefinedName } from '../../book/workbook-part.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { isExcelFunction } from '../../formula/known-functions.ts'
import type { LiveBook } from '../../objects/live-book.ts'
import { ownerOfName, whyNoName } from '../../objects/object-names.ts'
import { dropIfEmpty, ensureInWorkbook } from '../../objects/workbook-elements.ts'
import { fixReferences, renameNamesIn, type UsedName } from '../../places/rewrites.ts'
import { textOf, unitsOf } from '../../places/units.ts'
import type { Editor } from '../editor.ts'
import { changeParts, settledBook } from './change-parts.ts'
import { unsettleReaders } from './name-readers.ts'
import { storedText, wrong } from './object-fields.ts'
import { rewriteAll } from './tables/table-formulas.ts'

type NameArgs = WorkbookArgs<'define_name' | 'edit_name' | 'remove_name'>

/** Gives cells, a value or a formula a name. */
export function defineName(editor: Editor, args: WorkbookArgs<'define_name'>): OperationResult {
  const book = settledBook(editor)
  const { name } = args
  const scope = scopeField(book, args)
  const text = targetText(book, args, args.refers_to)
  refuseName(book, args, name, scope)
  const place = placeOfName(book, name, scope)
  const result = { op: 'define_name', name, refers_to: text, message: `${name} means ${text}.` }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => {
    const list = ensureInWorkbook(live, 'definedNames')
    const local = scope === undefined ? '' : ` localSheetId="${scope}"`
    live.workbook.append(
      list,
      live.workbook.fragment(
        `<x:definedName name="${encodeAttribute(name)}"${local}>${encodeText(text)}</x:definedName>`,
      ),
    )
  })
  unsettleReaders(editor, name)
  editor.recordObject(place, {
    before: null,
    after: { text },
    objects: [{ kind: 'name', name }],
    dependsOn: scopeWriters(editor, scope),
  })
  return result
}

/** Another name or another meaning. */
export function editName(editor: Editor, args: WorkbookArgs<'edit_name'>): OperationResult {
  const book = settledBook(editor)
  const found = nameField(book, args)
  const to = args.new_name ?? found.name
  const { refers_to } = args
  const text = refers_to === undefined ? found.text : targetText(book, args, refers_to)
  if (to.toLowerCase() !== found.name.toLowerCase()) refuseName(book, args, to, found.localSheet)
  const place = placeOfName(book, found.name, found.localSheet)
  const result = {
    op: 'edit_name',
    name: to,
    refers_to: text,
    message: `${to} means ${text}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  if (to !== found.name) renameInFormulas(editor, found, to)
  changeParts(editor, live => {
    const node = nodeOf(live, found)
    live.workbook.setAttribute(node, 'name', to)
    if (text !== found.text) live.workbook.setText(node, text)
  })
  if (text !== found.text) unsettleReaders(editor, to)
  editor.recordObject(place, {
    before: { text: `${found.name} = ${found.text}` },
    after: { text: `${to} = ${text}` },
    objects: [
      { kind: 'name', name: found.name },
      { kind: 'name', name: to },
    ],
  })
  return result
}

export function removeName(editor: Editor, args: WorkbookArgs<'remove_name'>): OperationResult {
  const book = settledBook(editor)
  const found = nameField(book, args)
  const place = placeOfName(book, found.name, found.localSheet)
  const result = { op: 'remove_name', name: found.name, message: `Removed the name ${found.name}.` }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  refuseUsed(editor, found)
  changeParts(editor, live => {
    const node = nodeOf(live, found)
    const list = node.parent ?? undefined
    live.workbook.remove(node)
    dropIfEmpty(live, list)
  })
  editor.recordObject(place, {
    before: { text: found.text },
    after: null,
    objects: [{ kind: 'name', name: found.name }],
  })
  return result
}

function placeOfName(book: Book, name: string, scope: number | undefined): string {
  const sheet = scope === undefined ? undefined : book.sheets[scope]?.name
  return `name ${sheet === undefined ? '' : `${sheet}!`}${name}`
}

function refuseName(book: Book, args: NameArgs, name: string, scope: number | undefined): void {
  const problem = whyNoName(name)
  if (problem !== undefined) throw wrong(args, problem)
  const owner = ownerOfName(book, name, scope)
  if (owner !== undefined)
    throw new Refusal(
      'CONFLICT',
      `${JSON.stringify(name)} is taken by ${owner}; edit_name gives a name another meaning`,
    )
}

/** The position of the sheet that the name is for; undefined: the whole workbook. */
function scopeField(book: Book, args: NameArgs): number | undefined {
  const { scope } = args
  if (scope === undefined || scope === 'workbook') return undefined
  const sheet = book.sheet(scope)
  if (sheet) return book.sheets.indexOf(sheet)
  const names = book.sheets.map(own => own.name).slice(0, 20)
  throw wrong(args, `scope is a sheet (${names.join(', ')}) or left out`)
}

function scopeWriters(editor: Editor, scope: number | undefined) {
  const sheet = scope === undefined ? undefined : editor.book.sheets[scope]
  return sheet ? editor.writersOfSheets([sheet.name]) : []
}

/** The meaning, with references that do not move with whoever reads them. */
function targetText(book: Book, args: NameArgs, given: string | number | boolean): string {
  const raw = String(given).trim()
  if (raw === '' || raw === '=') throw wrong(args, 'refers_to is empty')
  const sheet = args.sheet === undefined ? undefined : book.sheet(String(args.sheet))
  const stored = storedText(book, args, 'refers_to', raw.replace(/^=/, ''))
  const text = fixReferences(stored, sheet?.name)
  const bare = unitsOf(text).find(unit => unit.kind === 'reference' && !unit.context)
  if (bare)
    throw wrong(
      args,
      `refers_to names ${textOf(bare)} without its sheet; send it as ${JSON.stringify(`${book.sheets[0]?.name}!${textOf(bare)}`)}`,
    )
  return text
}

function nameField(book: Book, args: NameArgs): DefinedName {
  const wanted = args.name
  const scope = scopeField(book, args)
  const shown = book.definedNames.filter(({ name }) => !name.startsWith('_xlnm.'))
  const all = shown.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const found =
    args.scope === undefined && all.length === 1
      ? all[0]
      : all.find(({ localSheet }) => localSheet === scope)
  if (found) return found
  const names = shown.map(({ name }) => name)
  const [near] = similarNames(wanted, names, 1)
  throw new Refusal(
    'NO_SUCH_REGION',
    all.length > 0
      ? `the name ${wanted} belongs to a sheet; say which with scope`
      : `there is no name ${JSON.stringify(wanted)}${names.length === 0 ? '' : `; the names are ${names.slice(0, 50).join(', ')}`}`,
    undefined,
    near === undefined || all.length > 0 ? undefined : [{ ...args, name: near }],
  )
}

function nodeOf({ workbook }: LiveBook, { index }: DefinedName) {
  const list = workbook.root.child('x:definedNames')
  return list!.children.filter(({ name }) => name === 'x:definedName')[index]!
}

/** Whether a word in the formula at that place means this name and not another of the same spelling. */
function isMeant(
  book: Book,
  found: DefinedName,
  { name, isCalled, sheet }: UsedName,
  at: FormulaPlace | undefined,
): boolean {
  const isSame = (own: DefinedName) => own.name.toLowerCase() === name.toLowerCase()
  if (!isSame(found) || (isCalled && isExcelFunction(name))) return false
  const same = book.definedNames.filter(isSame)
  if (same.length === 1 || (sheet === undefined && at && 'part' in at)) return true
  const named = sheet === undefined ? undefined : book.sheet(sheet)
  const home = named ? book.sheets.indexOf(named) : at && 'sheet' in at ? at.sheet : undefined
  const local = same.find(({ localSheet }) => localSheet !== undefined && localSheet === home)
  const global = same.find(({ localSheet }) => localSheet === undefined)
  return (local ?? global ?? found) === found
}

function renameInFormulas(editor: Editor, found: DefinedName, to: string): void {
  const { book } = editor
  rewriteAll(editor, found.name, (formula, at) =>
    renameNamesIn(formula, used => (isMeant(book, found, used, at) ? to : undefined)),
  )
}

function refuseUsed(editor: Editor, found: DefinedName): void {
  const { book } = editor
  let used: string | undefined
  rewriteAll(editor, found.name, (formula, at) =>
    renameNamesIn(formula, own => {
      if (isMeant(book, found, own, at)) used ??= formula
      return undefined
    }),
  )
  if (used !== undefined)
    throw new Refusal(
      'CONFLICT',
      `the formula ${JSON.stringify(`=${used}`)} uses ${found.name}; change what uses it first`,
    )
}
