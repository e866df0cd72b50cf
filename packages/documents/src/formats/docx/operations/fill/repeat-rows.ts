import type { Fields } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { markRow } from '../../edit/tracked-row.ts'
import { type Placeholder, placeholdersIn } from '../../story/placeholders.ts'
import { type PlaceArgument, paragraphById, paragraphsAt, placeOf } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'
import { type FillData, isFillValue, plain } from './fill-data.ts'
import { fillText } from './fill-paragraph.ts'

const MOST_ROWS = 5_000

/** A row of a table that a list of data repeats. JSON only. */
export interface RepeatedRow {
  /** The first paragraph of the row. */
  readonly id: string
  readonly key: string
  readonly placeholders: readonly Placeholder[]
}

interface RowsDone {
  readonly filled: number
  readonly places: readonly string[]
  readonly rows: number
}

/** Repeats the rows whose placeholders the lists of the data name: one row for each entry. */
export function repeatRows(
  editor: DocumentEditor,
  data: FillData,
  rows: readonly RepeatedRow[],
): RowsDone {
  const places: string[] = []
  let filled = 0
  let made = 0
  for (const row of rows) {
    const list = data.lists.find(({ key }) => key === row.key)!
    if (list.rows.length > MOST_ROWS)
      throw invalid(
        `${row.key} has ${list.rows.length} entries; a table takes ${MOST_ROWS} at most`,
      )
    data.useList(list.key)
    if (!repeatRow(editor, row, list.rows, data)) continue
    filled += row.placeholders.length * list.rows.length
    made += list.rows.length
    places.push(row.id)
  }
  return { filled, places, rows: made }
}

export function findRows(
  editor: DocumentEditor,
  data: FillData,
  place: PlaceArgument | undefined,
): readonly RepeatedRow[] {
  if (data.lists.length === 0) return []
  const byRow = new Map<LiveNode, { id: string; placeholders: Placeholder[] }>()
  for (const paragraph of paragraphsAt(editor.manuscript, place)) {
    const row = paragraph.cell?.closest('w:tr')
    if (!row) continue
    const known = byRow.get(row) ?? { id: paragraph.id, placeholders: [] }
    known.placeholders.push(...placeholdersIn(paragraph).filter(own => own.start >= 0))
    byRow.set(row, known)
  }
  const isInner = (row: LiveNode) => {
    for (let at = row.closest('w:tr'); at; at = at.closest('w:tr')) if (byRow.has(at)) return true
    return false
  }
  return [...byRow].flatMap(([row, { id, placeholders }]) => {
    if (isInner(row)) return []
    const list = data.lists.find(own =>
      placeholders.some(({ names }) => names.some(name => hasValue(own, name))),
    )
    return list ? [{ id, key: list.key, placeholders }] : []
  })
}

/** `{{items.name}}`, or `{{name}}` where all entries together have such a value. */
function hasValue(list: FillData['lists'][number], name: string): boolean {
  return list.rows.some(row => valueIn(list.key, row, name) !== undefined)
}

function valueIn(key: string, row: Fields, name: string): string | undefined {
  for (const [own, value] of Object.entries(row))
    if (
      isFillValue(value) &&
      (plain(own) === plain(name) || plain(`${key}.${own}`) === plain(name))
    )
      return String(value)
  return undefined
}

function repeatRow(
  editor: DocumentEditor,
  row: RepeatedRow,
  entries: readonly Fields[],
  data: FillData,
): boolean {
  const first = paragraphById(editor.manuscript, row.id)
  const { story } = first
  const { tree } = story
  const template = first.cell!.closest('w:tr')!
  const paragraphs = new Map<string, number>()
  for (const [index, node] of [...template.all('w:p')].entries())
    paragraphs.set(story.idOf(node) ?? '', index)
  return editor.change(
    {
      kind: 'structure',
      place: `rows from ${placeOf(row.id)}`,
      keys: [...paragraphs.keys()],
      before: { text: textOf(story, template) },
      after: () => ({ text: `${entries.length} rows` }),
      description: `one row for each entry of ${row.key}`,
    },
    () => {
      const copies = entries.map(() => copyRow(editor, story, template))
      tree.before(template, copies)
      for (const [number, copy] of copies.entries()) {
        fillRow(story, copy, row, paragraphs, entries[number]!, data)
        if (editor.tracking) markRow(tree, copy, 'w:ins', editor.tracking)
      }
      if (editor.tracking) markRow(tree, template, 'w:del', editor.tracking)
      else tree.remove(template)
      return true
    },
  )
}

function textOf(story: Story, row: LiveNode): string {
  return [...row.all('w:t')]
    .map(node => story.tree.textOf(node))
    .join(' ')
    .slice(0, 200)
}

/** Ids and bookmarks that must be there once stay with the template. */
function copyRow(editor: DocumentEditor, story: Story, template: LiveNode): LiveNode {
  const { tree } = story
  const copy = tree.clone(template)
  for (const name of ['w:tr', 'w:p'])
    for (const node of name === 'w:tr' ? [copy, ...copy.all(name)] : copy.all(name))
      for (const attribute of ['w14:paraId', 'w14:textId'])
        tree.setAttribute(node, attribute, undefined)
  const once = [...copy.all('w:bookmarkStart'), ...copy.all('w:bookmarkEnd')]
  for (const control of copy.all('w:sdtPr'))
    once.push(...control.children.filter(own => own.name === 'w:id'))
  for (const node of once) tree.remove(node)
  editor.adopt(story, copy)
  return copy
}

function fillRow(
  story: Story,
  copy: LiveNode,
  { key, placeholders }: RepeatedRow,
  numbers: ReadonlyMap<string, number>,
  entry: Fields,
  data: FillData,
): void {
  const own = [...copy.all('w:p')]
  for (const [id, number] of numbers) {
    const node = own[number]
    const fills = placeholders.flatMap(placeholder => {
      const { names, start, end } = placeholder
      if (placeholder.id !== id) return []
      const value =
        names.map(name => valueIn(key, entry, name)).find(each => each !== undefined) ??
        onlyValue(data, placeholder)
      if (value !== undefined) refuseUnwritable(value)
      return value === undefined ? [] : [{ start, end, value }]
    })
    if (!node || fills.length === 0) continue
    const spot = { node, cell: undefined, box: undefined, note: undefined, openFields: [] }
    fillText(story, spot, fills, undefined)
  }
}

/** A value that is the same in every row. */
function onlyValue(data: FillData, placeholder: Placeholder): string | undefined {
  const found = data.valuesFor(placeholder)
  return found && !found.isList ? String(found.values[0]) : undefined
}
