import type { Fields } from '@filewright/protocol'
import type { ChartPlan, PlannedSeries } from '../../../../../charts/chart-plan.ts'
import {
  axisTitles,
  kindOfGroup,
  replacePlot,
  setAxisTitle,
  setChartTitle,
  setGrouping,
  setLegend,
  setSeries,
} from '../../../../../charts/edit-chart.ts'
import { type ReadChart, type ReadSeries, readChart } from '../../../../../charts/read-chart.ts'
import type { OperationResult } from '../../../../../format.ts'
import type { LiveTree } from '../../../../../opc/index.ts'
import { Refusal } from '../../../../../refusal.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { placeOf } from '../../../cell/address.ts'
import { cellSizes } from '../../../objects/cell-sizes.ts'
import { type DrawnObject, findDrawing, moveAnchored, sizeOf } from '../../../objects/drawing.ts'
import { LiveBook } from '../../../objects/live-book.ts'
import type { Editor } from '../../editor.ts'
import { changeParts, settledBook } from '../change-parts.ts'
import { optionalSize, optionalText, wrong } from '../object-fields.ts'
import { findRange } from '../references.ts'
import { seriesField, warnOfStrange } from './chart-series.ts'
import { closedRange, valuesOf } from './chart-values.ts'
import {
  anchorField,
  groupingField,
  kindField,
  legendField,
  MOST_PIXELS,
  paletteFor,
  worksheetField,
} from './charts.ts'
import { describeChart } from './describe-chart.ts'
import { chosenObject, namesOf, withName } from './drawn-fields.ts'

/** Another title, kind, source, legend, place or size; what is not given stays. */
export function editChart(editor: Editor, sent: Fields): OperationResult {
  const book = settledBook(editor)
  const sheet = worksheetField(book, sent)
  const now = new LiveBook(book)
  const fields = withName(editor, now, sheet, sent, 'chart')
  const found = chosenObject(now, sheet, fields, 'chart')
  const before = shownChart(now, found)
  warnOfStrange(editor, fields)
  const name = optionalText(fields, 'new_name', 255) ?? found.name
  if (name !== found.name && namesOf(book, sheet).includes(name.toLowerCase()))
    throw new Refusal('CONFLICT', `there is ${JSON.stringify(name)} on the sheet already`)
  const place = `${placeOf(sheet.name, found.name)} chart`
  const result = {
    op: 'edit_chart',
    sheet: sheet.name,
    chart: name,
    message: `Changed ${found.name} on ${JSON.stringify(sheet.name)}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const after = changeParts(editor, live => {
    const own = chosenObject(live, sheet, fields, 'chart')
    redraw(editor, sheet, fields, live.tree(own.part!))
    placeAnew(live, sheet, fields, own, name)
    return shownChart(live, { ...own, name })
  })
  editor.recordObject(place, {
    before: { text: before },
    after: { text: after },
    objects: [found.name, name].map(own => ({ kind: 'drawing', sheet: sheet.id, name: own })),
    sheet: book.sheets[sheet.id]!,
  })
  return result
}

function shownChart(live: LiveBook, { part, name }: DrawnObject): string {
  const tree = live.package.findTree(part)
  const chart = tree && readChart(tree)
  if (!chart)
    throw new Refusal('CONFLICT', `${name} is of a kind that cannot be changed here; it is kept`)
  return describeChart(name, chart)
}

function redraw(editor: Editor, sheet: Sheet, fields: Fields, tree: LiveTree): void {
  const chart = readChart(tree)!
  const group = chart.series[0]?.group
  const known = group && kindOfGroup(tree, group)
  const kind = kindField(fields) ?? known
  const asked = seriesField(editor, sheet, fields, kind ?? 'column')
  const groups = new Set(chart.series.map(own => own.group))
  const isSameKind = fields.type === undefined || (groups.size === 1 && kind === known)
  const isMixed = asked?.some(own => own.kind !== known || own.isSecondary) ?? false
  if (asked && isSameKind && groups.size === 1 && !isMixed) setSeries(tree, chart, asked)
  else if (asked || !isSameKind) drawAnew(editor, sheet, fields, tree, chart, asked)
  writeTitles(fields, tree)
  const legend = legendField(fields)
  if (legend !== undefined) setLegend(tree, legend)
  const grouping = groupingField(fields)
  if (grouping !== undefined) setGrouping(tree, grouping)
}

function drawAnew(
  editor: Editor,
  sheet: Sheet,
  fields: Fields,
  tree: LiveTree,
  chart: ReadChart,
  asked: readonly PlannedSeries[] | undefined,
): void {
  const kind = kindField(fields) ?? 'column'
  const series = asked ?? chart.series.map(own => replanned(editor, sheet, own, kind))
  if (kind === 'pie' && series.length > 1)
    throw wrong(fields, 'a pie shows one series; name it with series')
  const plan: ChartPlan = { series, ...axisTitles(tree), ...paletteFor(editor.book) }
  replacePlot(tree, plan)
}

/** A series that is there, drawn as another kind. */
function replanned(
  editor: Editor,
  sheet: Sheet,
  own: ReadSeries,
  kind: PlannedSeries['kind'],
): PlannedSeries {
  const { formulas } = own
  const values = (formula: string | undefined, held: readonly (string | number | null)[]) => {
    const range = formula === undefined ? undefined : findRange(editor.book, formula, sheet)
    if (range) return valuesOf(editor, closedRange(range))
    return { formula: formula ?? '', values: held }
  }
  if (formulas.values === undefined)
    throw new Refusal('CONFLICT', 'the chart has values of its own and no cells; name its series')
  return {
    kind,
    ...(own.name !== '' && {
      name: { text: own.name, ...(formulas.name !== undefined && { formula: formulas.name }) },
    }),
    ...(formulas.categories !== undefined && {
      categories: values(formulas.categories, own.categories),
    }),
    values: values(formulas.values, own.values),
  }
}

function writeTitles(fields: Fields, tree: LiveTree): void {
  const title = optionalText(fields, 'title', 255)
  if (title !== undefined) setChartTitle(tree, title)
  for (const side of ['x', 'y'] as const) {
    const own = optionalText(fields, `${side}_title`, 255)
    if (own !== undefined && !setAxisTitle(tree, side, own))
      throw wrong(fields, `the chart has no axis for ${side}_title`)
  }
}

function placeAnew(
  live: LiveBook,
  sheet: Sheet,
  fields: Fields,
  own: DrawnObject,
  name: string,
): void {
  const { tree } = findDrawing(live, live.sheet(sheet))!
  const [named] = own.node.all('xdr:cNvPr')
  if (named) tree.setAttribute(named, 'name', name)
  moveDrawn(live, sheet, fields, own)
}

/** To another cell or in another size, where a call asks for it. */
export function moveDrawn(live: LiveBook, sheet: Sheet, fields: Fields, own: DrawnObject): void {
  const at = anchorField(sheet, fields)
  const width = optionalSize(fields, 'width', MOST_PIXELS)
  const height = optionalSize(fields, 'height', MOST_PIXELS)
  if (!at && width === undefined && height === undefined) return
  const { tree } = findDrawing(live, live.sheet(sheet))!
  const known = sizeOf(tree, own.anchor, cellSizes(sheet))
  moveAnchored(tree, own, at, { width: width ?? known.width, height: height ?? known.height })
}
