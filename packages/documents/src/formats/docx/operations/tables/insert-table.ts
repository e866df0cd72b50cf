import { counted } from '@filewright/protocol'
import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type BlockAnchor, blockAnchorFor } from '../../edit/block-anchor.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { setProperty } from '../../edit/properties.ts'
import { trackNewParagraph } from '../../edit/tracked-paragraph.ts'
import { readForLook } from '../../story/places.ts'
import { textWidthAt } from '../../story/text-width.ts'
import { tableStyle, twipsOf } from './format-table.ts'
import { gridOf, type TableGrid } from './grid.ts'
import { type CellModel, cellModelOf, makeCell, PLAIN_CELL, trackNewRow } from './new-cells.ts'
import { type CellText, rowsIn } from './values.ts'

const MOST_COLUMNS = 63 // Word's own limit

/** Inserts a table; it looks like the table before it, or has a grid. */
export function insertTable(editor: DocumentEditor, args: DocumentArgs<'insert_table'>) {
  const rows = rowsIn(args.values, 'insert_table')
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns < 1 || columns > MOST_COLUMNS)
    throw invalid(`insert_table: a table has 1 to ${MOST_COLUMNS} columns, so not ${columns}`)
  const anchor = blockAnchorFor(editor, args)
  const { story } = anchor
  const looks = looksFor(editor, anchor, args.style)
  const table = makeTable(editor, anchor, args, { rows, columns, looks })
  const id = editor.newId()
  story.assign(table, id)
  editor.adopt(story, table)
  const paragraphs = [...table.all('w:p')].map(node => story.idOf(node)!)
  const spacers = [editor.newId(), editor.newId()] as const
  const change = {
    kind: 'table',
    place: `new table ${id}`,
    keys: [id, `${id} columns`, ...paragraphs, ...spacers],
    reads: [anchor.id, ...looks.reads],
    before: null,
    after: () => ({ text: rows.map(row => row.map(text => text ?? '').join(' | ')).join('\n') }),
    description: `${anchor.side} ${anchor.id}`,
  }
  editor.change(change, () => {
    put(editor, anchor, table, spacers)
    return true
  })
  return {
    op: 'insert_table',
    message: `Inserted a table of ${counted(rows.length, 'row')} and ${counted(columns, 'column')} ${anchor.side} ${anchor.id}.`,
    table: id,
  }
}

/** Two tables beside each other would be one, and a cell or a page ends with a paragraph: an empty one goes between. */
function put(
  editor: DocumentEditor,
  { node, story, side }: BlockAnchor,
  table: LiveNode,
  [before, after]: readonly [string, string],
): void {
  const { tree } = story
  if (side === 'before') tree.before(node, [table])
  else tree.after(node, [table])
  const { tracking } = editor
  if (tracking) for (const row of table.all('w:tr')) trackNewRow(tree, row, tracking)
  const spacer = (id: string) => {
    const [made] = tree.fragment('<w:p/>')
    story.assign(made!, id)
    return made!
  }
  const siblings = table.parent!.children.filter(({ name }) => name !== '')
  const at = siblings.indexOf(table)
  const made: LiveNode[] = []
  if (siblings[at - 1]?.name === 'w:tbl') {
    made.push(spacer(before))
    tree.before(table, made)
  }
  const next = siblings[at + 1]
  if (!next || next.name === 'w:tbl' || next.name === 'w:sectPr') {
    const last = spacer(after)
    made.push(last)
    tree.after(table, [last])
  }
  if (tracking) for (const own of made) trackNewParagraph(tree, own, tracking)
}

interface TableShape {
  readonly rows: readonly (readonly CellText[])[]
  readonly columns: number
  readonly looks: TableLooks
}

function makeTable(
  editor: DocumentEditor,
  { story, node }: BlockAnchor,
  { header, widths }: DocumentArgs<'insert_table'>,
  { rows, columns, looks }: TableShape,
): LiveNode {
  const { tree } = story
  const hasHeader = header && rows.length > 1
  const total = textWidthAt(story, node)
  const each =
    widths === undefined
      ? new Array<number>(columns).fill(Math.floor(total / columns))
      : twipsOf('insert_table', widths, columns)
  const sum = each.reduce((all, width) => all + width, 0)
  if (sum > total + columns)
    editor.warn(`The table is ${Math.round((sum - total) / 20)} points wider than the text.`)
  const [table] = tree.fragment('<w:tbl/>')
  setProperty(tree, looks.properties, `<w:tblW w:w="${sum}" w:type="dxa"/>`)
  const grid = each.map(width => `<w:gridCol w:w="${width}"/>`).join('')
  tree.append(table!, [looks.properties, ...tree.fragment(`<w:tblGrid>${grid}</w:tblGrid>`)])
  for (const [at, row] of rows.entries()) {
    const isHeader = hasHeader && at === 0
    const [made] = tree.fragment(
      isHeader ? '<w:tr><w:trPr><w:tblHeader/></w:trPr></w:tr>' : '<w:tr/>',
    )
    const model = isHeader ? looks.header : looks.body
    tree.append(
      made!,
      each.map((width, column) => newCell(tree, model, row[column] ?? '', width)),
    )
    tree.append(table!, [made!])
  }
  return table!
}

function newCell(tree: LiveTree, model: CellModel, text: string, width: number): LiveNode {
  const cell = makeCell(tree, model, text)
  let properties = cell.child('w:tcPr')
  if (!properties) {
    ;[properties] = tree.fragment('<w:tcPr/>')
    tree.insert(cell, 0, [properties!])
  }
  setProperty(tree, properties!, `<w:tcW w:w="${width}" w:type="dxa"/>`)
  return cell
}

interface TableLooks {
  readonly properties: LiveNode
  readonly header: CellModel
  readonly body: CellModel
  readonly reads: readonly string[]
}

const OWN: ReadonlySet<string> = new Set([
  'w:tblpPr',
  'w:tblOverlap',
  'w:tblW',
  'w:tblInd',
  'w:tblCaption',
  'w:tblDescription',
  'w:tblPrChange',
])
const SPANS: ReadonlySet<string> = new Set(['w:gridSpan', 'w:tcW', 'w:textDirection'])

/** The style that was named; else the looks of the nearest table before, or after; else a grid. */
function looksFor(
  editor: DocumentEditor,
  { story, node }: BlockAnchor,
  style: string | undefined,
): TableLooks {
  const { tree } = story
  if (style !== undefined) {
    const [properties] = tree.fragment('<w:tblPr><w:tblStyle/></w:tblPr>')
    tree.setAttribute(properties!.child('w:tblStyle')!, 'w:val', tableStyle(editor, style))
    tree.append(properties!, tree.fragment(LOOK))
    return { properties: properties!, header: PLAIN_CELL, body: PLAIN_CELL, reads: [] }
  }
  const likeId = editor.resolve('like', () => nearestTable(story, node) ?? null)
  const like = story.tables.find(({ id }) => id === likeId)
  return like ? looksLike(gridOf(like)) : gridLooks(editor, tree)
}

/** A table of at least two rows with borders or a style; one without is there for the layout. */
function nearestTable(story: BlockAnchor['story'], node: LiveNode): string | undefined {
  let block = node
  while (block.parent && block.parent !== story.root) block = block.parent
  const at = story.root.children.indexOf(block)
  const fit = story.tables.filter(({ node: own }) => {
    const properties = own.child('w:tblPr')
    const isShown = properties?.child('w:tblBorders') ?? properties?.child('w:tblStyle')
    const count = own.children.filter(({ name }) => name === 'w:tr').length
    return own.parent === story.root && isShown !== undefined && count > 1
  })
  const before = fit.findLast(({ node: own }) => own.index <= at)
  return (before ?? fit[0])?.id
}

function looksLike(grid: TableGrid): TableLooks {
  const { story, node } = grid.table
  const { tree } = story
  const properties = tree.clone(node.child('w:tblPr')!)
  for (const child of [...properties.children]) if (OWN.has(child.name)) tree.remove(child)
  const model = (row: number) => {
    const cell = grid.cells.at(row)?.[0]?.node
    return cell ? cellModelOf(grid, cell, SPANS) : PLAIN_CELL
  }
  return { properties, header: model(0), body: model(1), reads: readForLook(grid.table.id) }
}

const LOOK =
  '<w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>'

function gridLooks(editor: DocumentEditor, tree: LiveTree): TableLooks {
  const style = editor.manuscript.styles.find('Table Grid', 'table')
  const border = (side: string) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`
  const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(border).join('')
  const own = style ? '' : `<w:tblBorders>${borders}</w:tblBorders>`
  const [properties] = tree.fragment(`<w:tblPr>${own}${LOOK}</w:tblPr>`)
  if (style) {
    const [named] = tree.fragment('<w:tblStyle/>')
    tree.setAttribute(named!, 'w:val', style.id)
    tree.insert(properties!, 0, [named!])
  }
  const [bold] = tree.fragment('<w:rPr><w:b/><w:bCs/></w:rPr>')
  const header = { properties: undefined, paragraph: { properties: undefined, look: bold! } }
  return { properties: properties!, header, body: PLAIN_CELL, reads: [] }
}
