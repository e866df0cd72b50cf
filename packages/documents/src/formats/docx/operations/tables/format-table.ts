import { counted } from '@filewright/protocol'
import { toHex } from '../../../../fields/shared-fields.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { removeProperty, setProperty } from '../../edit/properties.ts'
import { isRecorded } from '../../edit/tracking.ts'
import { placeOf } from '../../story/places.ts'
import type { TableSpot } from '../../story/story.ts'
import { columnAt, gridOf, linesAt, paragraphsIn, rowAt, tableFor } from './grid.ts'
import { cellProperties } from './new-cells.ts'
import { setWidths, widthsOf } from './widths.ts'

const POINT = 20 // twentieths of a point
const WIDEST = 1_584 // points, Word's limit

/** Sets widths, the style of the table and the shading of cells. */
export function formatTable(editor: DocumentEditor, args: DocumentArgs<'format_table'>) {
  const table = tableFor(editor, args.table)
  const { widths, style, shading } = args
  const done = [
    ...(widths === undefined ? [] : [changeWidths(editor, table, widths)]),
    ...(style === undefined ? [] : [changeStyle(editor, table, style)]),
    ...(shading === undefined ? [] : [changeShading(editor, table, shading, args)]),
  ]
  return {
    op: 'format_table',
    message: `Set ${done.join(' and ')} of ${table.id}.`,
    table: table.id,
  }
}

/** Widths in points as twentieths of a point. */
export function twipsOf(op: string, widths: readonly number[], columns: number): readonly number[] {
  if (widths.length === columns && widths.every(width => width > 0 && width <= WIDEST))
    return widths.map(width => Math.round(width * POINT))
  throw invalid(
    `${op}: widths names the width of each of the ${counted(columns, 'column')}, in points from 1 to ${WIDEST}`,
  )
}

function changeWidths(editor: DocumentEditor, table: TableSpot, given: readonly number[]): string {
  const grid = gridOf(table)
  const widths = twipsOf('format_table', given, grid.columns)
  const place = `${placeOf(table.id)} widths`
  if (editor.accepts(place)) editor.untracked('The width of columns')
  const shown = (list: readonly number[]) => ({
    text: list.map(width => `${width / POINT} pt`).join(', '),
  })
  const key = `${table.id} columns`
  const change = {
    kind: 'format',
    place,
    keys: [key],
    reads: [table.id],
    before: shown(widthsOf(grid)),
    after: () => shown(widths),
  }
  editor.change(change, () => {
    setWidths(grid, widths, true)
    const { tree } = table.story
    const total = widths.reduce((sum, width) => sum + width, 0)
    const properties = tableProperties(table)
    setProperty(tree, properties, `<w:tblW w:w="${total}" w:type="dxa"/>`)
    return true
  })
  return 'the widths'
}

function tableProperties({ story: { tree }, node }: TableSpot): LiveNode {
  const own = node.child('w:tblPr')
  if (own) return own
  const [made] = tree.fragment('<w:tblPr/>')
  tree.insert(node, 0, [made!])
  return made!
}

/** The id of a table style by its name. */
export function tableStyle(editor: DocumentEditor, name: string): string {
  const { styles } = editor.manuscript
  const found = styles.find(name, 'table')
  if (found) return found.id
  throw invalid(
    `there is no table style ${JSON.stringify(name)}; the table styles are ${styles.names('table').slice(0, 40).join(', ') || 'none'}`,
  )
}

function changeStyle(editor: DocumentEditor, table: TableSpot, name: string): string {
  const id = tableStyle(editor, name)
  const { tree } = table.story
  const before = tree.attribute(table.node.child('w:tblPr')?.child('w:tblStyle'), 'w:val')
  const place = `${placeOf(table.id)} style`
  const change = {
    kind: 'format',
    place,
    keys: [`${table.id} style`],
    reads: [table.id],
    before: { text: before ?? '' },
    after: () => ({ text: id }),
  }
  editor.change(change, () => {
    const properties = tableProperties(table)
    trackOld(editor, table, properties)
    const [made] = tree.fragment('<w:tblStyle/>')
    tree.setAttribute(made!, 'w:val', id)
    removeProperty(tree, properties, 'w:tblStyle')
    tree.insert(properties, 0, [made!])
    return true
  })
  return 'the style'
}

function changeShading(
  editor: DocumentEditor,
  table: TableSpot,
  shading: string,
  { rows, columns }: DocumentArgs<'format_table'>,
): string {
  const color = shading === 'none' ? undefined : toHex(shading)
  const anchors = editor.resolve('shaded', () => {
    const grid = gridOf(table)
    const ofRows = rows === undefined ? undefined : linesAt(rows, one => rowAt(grid, one, 'rows'))
    const ofColumns =
      columns === undefined ? undefined : linesAt(columns, one => columnAt(grid, one, 'columns'))
    return grid.cells
      .flat()
      .filter(({ row }) => ofRows?.includes(row) ?? true)
      .filter(({ column }) => ofColumns?.includes(column) ?? true)
      .flatMap(({ node }) => paragraphsIn(grid, node)[0]?.id ?? [])
  })
  let count = 0
  for (const id of anchors) if (shade(editor, table, id, color)) count++
  return `the shading of ${counted(count, 'cell')}`
}

function shade(
  editor: DocumentEditor,
  { story, id: tableId }: TableSpot,
  id: string,
  color: string | undefined,
): boolean {
  const place = `${placeOf(id)} shading`
  if (!editor.accepts(place)) return false
  const cell = story.paragraph(id)?.cell
  if (!cell) return false
  const { tree } = story
  const fill = () => ({
    text: tree.attribute(cell.child('w:tcPr')?.child('w:shd'), 'w:fill') ?? 'none',
  })
  const change = {
    kind: 'format',
    place,
    keys: [`${id} shading`],
    reads: [id, `${tableId} columns`],
    before: fill(),
    after: fill,
  }
  return editor.change(change, () => {
    const properties = cellProperties(tree, cell)
    trackOld(editor, { story }, properties)
    if (color === undefined) removeProperty(tree, properties, 'w:shd')
    else setProperty(tree, properties, `<w:shd w:val="clear" w:color="auto" w:fill="${color}"/>`)
    return true
  })
}

const NOT_RECORDED: ReadonlySet<string> = new Set(['w:cellIns', 'w:cellDel', 'w:cellMerge', ''])

/** Records what the properties of a cell or a table were before; only the first change counts. */
function trackOld(
  { tracking }: DocumentEditor,
  { story: { tree } }: Pick<TableSpot, 'story'>,
  properties: LiveNode,
): void {
  const name = `${properties.name}Change`
  if (!tracking || isRecorded(tree, properties, tracking)) return
  const [change] = tree.fragment(
    `<${name} ${tracking.attributes()}><${properties.name}/></${name}>`,
  )
  const kept = properties.children.filter(child => !NOT_RECORDED.has(child.name))
  tree.append(
    change!.child(properties.name)!,
    kept.map(child => tree.clone(child)),
  )
  tree.append(properties, [change!])
}
