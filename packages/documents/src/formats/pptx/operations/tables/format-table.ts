import { toHex } from '../../../../fields/shared-fields.ts'
import { type LiveNode, type LiveTree, numberAt } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, readsOf, wrongArgument } from '../../edit/editor.ts'
import { FILLS } from '../../edit/run-properties.ts'
import { EMU } from '../../parts/values.ts'
import { transformOf } from '../../slide/page.ts'
import { cellsOf, columnsOf } from '../../slide/table.ts'
import { gridOf, linesIn, type SlideTable } from './grid.ts'

/** Sets column widths, header and banding, or the shading of rows and columns. */
export function formatTable(editor: DeckEditor, args: DeckArgs<'format_table'>) {
  const grid = gridOf(editor, args)
  const steps = stepsOf(editor, grid, args)
  const words = steps.map(({ what }) => what).join(', ')
  let isMade = false
  editor.change(
    {
      kind: 'format',
      place: editor.deck.placeOf(grid.ref),
      keys: [`${grid.ref} looks`],
      reads: [grid.ref, `${grid.ref} grid`, ...readsOf(grid.ref)],
      before: { format: 'as it was' },
      after: () => ({ format: isMade ? words : 'as it was' }),
    },
    () => {
      for (const { make } of steps) make()
      isMade = true
      return true
    },
  )
  return {
    op: 'format_table',
    message: `Set ${words} of ${grid.shape.name} on slide ${grid.slide.index}.`,
  }
}

type Formatting = DeckArgs<'format_table'>

interface Step {
  readonly what: string
  readonly make: () => void
}

function stepsOf(editor: DeckEditor, grid: SlideTable, args: Formatting): readonly Step[] {
  const { header, banded, widths, shading } = args
  const steps: Step[] = []
  const flag = (name: string, value: boolean) => () =>
    grid.tree.setAttribute(tableProperties(grid), name, value ? '1' : undefined)
  if (header !== undefined)
    steps.push({ what: header ? 'a header' : 'no header', make: flag('firstRow', header) })
  if (banded !== undefined)
    steps.push({ what: banded ? 'banding' : 'no banding', make: flag('bandRow', banded) })
  if (widths !== undefined) steps.push(widthsStep(grid, widths))
  if (shading !== undefined) steps.push(shadingStep(editor, grid, shading, args))
  return steps
}

function tableProperties({ tree, node }: SlideTable): LiveNode {
  const known = node.child('a:tblPr')
  if (known) return known
  const [made] = tree.fragment('<a:tblPr/>')
  tree.insert(node, 0, [made!])
  return made!
}

function widthsStep(grid: SlideTable, widths: readonly number[]): Step {
  const columns = columnsOf(grid.node)
  if (widths.length !== columns.length)
    throw wrongArgument(
      `widths is a list of ${columns.length} widths in points, one for each column`,
    )
  const { tree, shape } = grid
  return {
    what: 'widths',
    make: () => {
      const emu = widths.map(width => Math.round(width * EMU))
      for (const [number, column] of columns.entries())
        tree.setAttribute(column, 'w', String(emu[number]))
      const extent = transformOf(shape.node)?.child('a:ext')
      if (extent && numberAt(tree, extent, 'cx') !== undefined)
        tree.setAttribute(extent, 'cx', String(emu.reduce((sum, width) => sum + width, 0)))
    },
  }
}

function shadingStep(
  editor: DeckEditor,
  grid: SlideTable,
  shading: string,
  { rows, columns }: Formatting,
): Step {
  const hex = shading === 'none' ? undefined : toHex(shading)
  const inRows =
    rows === undefined ? undefined : editor.resolve('rows', () => linesIn(grid, 'row', rows))
  const inColumns =
    columns === undefined
      ? undefined
      : editor.resolve('columns', () => linesIn(grid, 'column', columns))
  return {
    what: hex ? `shading ${hex}` : 'no shading',
    make: () => {
      for (const { node, row, column } of cellsOf(grid.tree, grid.node))
        if ((inRows?.includes(row) ?? true) && (inColumns?.includes(column) ?? true))
          shade(grid.tree, node, hex)
    },
  }
}

/** The fill of a cell comes behind its borders. */
function shade(tree: LiveTree, cell: LiveNode, hex: string | undefined): void {
  let properties = cell.child('a:tcPr')
  if (!properties) {
    properties = tree.fragment('<a:tcPr/>')[0]!
    const body = cell.child('a:txBody')
    if (body) tree.after(body, [properties])
    else tree.append(cell, [properties])
  }
  for (const child of [...properties.children]) if (FILLS.test(child.name)) tree.remove(child)
  const xml = hex ? `<a:solidFill><a:srgbClr val="${hex}"/></a:solidFill>` : '<a:noFill/>'
  const at = properties.children.findLastIndex(({ name }) => /^a:(ln|cell3D)/.test(name))
  tree.insert(properties, at + 1, tree.fragment(xml))
}
