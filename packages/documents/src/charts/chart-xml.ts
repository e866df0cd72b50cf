import { encodeText, uriOfPrefix } from '../opc/index.ts'
import { pointsXml } from './chart-cache.ts'
import {
  type ChartKind,
  type ChartPlan,
  type ChartValues,
  LEGEND_PLACES,
  type LegendPlace,
  type PlannedSeries,
} from './chart-plan.ts'

export const CHART_TYPE = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
/** Of the categories and of the values, at the usual side and at the other one. */
const AXES = { first: ['111111111', '222222222'], second: ['333333333', '444444444'] } as const

/** A chart's part, whole. */
export function chartXml(plan: ChartPlan, isStrict: boolean): string {
  const declared = ['c', 'a', 'r']
    .map(prefix => `xmlns:${prefix}="${uriOfPrefix(prefix, isStrict)}"`)
    .join(' ')
  const legend = plan.legend ? legendXml(plan.legend) : ''
  return `${DECLARATION}<c:chartSpace ${declared}><c:roundedCorners val="0"/><c:chart>${titleXml(plan.title)}${plotXml(plan)}${legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>${textXml(plan.textPoints)}</c:chartSpace>`
}

function textXml(points: number | undefined): string {
  if (points === undefined) return ''
  return `<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="${points * 100}"/></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`
}

/** The title, or that there is none, even where Excel would take the name of the only series. */
function titleXml(title: string | undefined): string {
  return title === undefined || title === ''
    ? '<c:autoTitleDeleted val="1"/>'
    : `${titleElement(title)}<c:autoTitleDeleted val="0"/>`
}

/** A title of a chart or of an axis. */
export function titleElement(title: string): string {
  const lines = title
    .split('\n')
    .map(line => `<a:p><a:r><a:rPr/><a:t>${encodeText(line)}</a:t></a:r></a:p>`)
  return `<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/>${lines.join('')}</c:rich></c:tx><c:overlay val="0"/></c:title>`
}

export function legendXml(place: LegendPlace): string {
  return `<c:legend><c:legendPos val="${LEGEND_PLACES[place]}"/><c:overlay val="0"/></c:legend>`
}

/** The series in groups of one kind and one pair of axes, and the axes. */
export function plotXml(plan: ChartPlan): string {
  const groups = new Map<string, PlannedSeries[]>()
  for (const own of plan.series) {
    const key = `${own.kind} ${own.isSecondary === true}`
    groups.set(key, [...(groups.get(key) ?? []), own])
  }
  const grouped = [...groups.values()].map(series => groupXml(plan, series)).join('')
  const kind = plan.series[0]!.kind
  const isRound = kind === 'pie' || kind === 'doughnut'
  const hasSecond = plan.series.some(({ isSecondary }) => isSecondary)
  const axes = isRound ? '' : axesXml(plan, kind) + (hasSecond ? secondAxesXml(kind) : '')
  return `<c:plotArea><c:layout/>${grouped}${axes}</c:plotArea>`
}

function groupXml(plan: ChartPlan, series: readonly PlannedSeries[]): string {
  const { kind, isSecondary } = series[0]!
  const [across, up] = isSecondary ? AXES.second : AXES.first
  const ids = `<c:axId val="${across}"/><c:axId val="${up}"/>`
  const inner = series.map(own => seriesXml(own, plan.series.indexOf(own), plan.palette)).join('')
  const vary = '<c:varyColors val="0"/>'
  const grouping = plan.grouping ?? 'clustered'
  const stacked = grouping === 'clustered' ? 'standard' : grouping
  const overlap = grouping === 'clustered' ? '' : '<c:overlap val="100"/>'
  switch (kind) {
    case 'column':
    case 'bar':
      return `<c:barChart><c:barDir val="${kind === 'bar' ? 'bar' : 'col'}"/><c:grouping val="${grouping}"/>${vary}${inner}<c:gapWidth val="80"/>${overlap}${ids}</c:barChart>`
    case 'line':
      return `<c:lineChart><c:grouping val="${stacked}"/>${vary}${inner}<c:marker val="1"/>${ids}</c:lineChart>`
    case 'area':
      return `<c:areaChart><c:grouping val="${stacked}"/>${vary}${inner}${ids}</c:areaChart>`
    case 'scatter':
      return `<c:scatterChart><c:scatterStyle val="lineMarker"/>${vary}${inner}${ids}</c:scatterChart>`
    case 'doughnut':
      return `<c:doughnutChart><c:varyColors val="1"/>${inner}<c:firstSliceAng val="0"/><c:holeSize val="50"/></c:doughnutChart>`
    case 'pie':
      return `<c:pieChart><c:varyColors val="1"/>${inner}<c:firstSliceAng val="0"/></c:pieChart>`
  }
}

/** One series at its position among all of the chart. */
export function seriesXml(
  series: PlannedSeries,
  index: number,
  palette?: readonly string[],
): string {
  const { kind, name, categories, values } = series
  const [x, y] = kind === 'scatter' ? ['c:xVal', 'c:yVal'] : ['c:cat', 'c:val']
  const invert = kind === 'column' || kind === 'bar' ? '<c:invertIfNegative val="0"/>' : ''
  const across = categories ? `<${x}>${valuesXml(categories)}</${x}>` : ''
  const smooth = kind === 'line' || kind === 'scatter' ? '<c:smooth val="0"/>' : ''
  const [looks, points] = looksXml(series, index, palette)
  return `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>${nameXml(name)}${looks}${invert}${points}${across}<${y}>${valuesXml(values, 'numbers')}</${y}>${smooth}</c:ser>`
}

const ACCENTS = 6 // colours of a theme; some programs draw all markers alike that name none
const MOST_COLOURED = 100 // points of a pie with a colour of their own

/** What a series looks like, and its points. */
function looksXml(
  { kind, values }: PlannedSeries,
  index: number,
  palette: readonly string[] | undefined,
): readonly [looks: string, points: string] {
  const fillOf = (at: number) =>
    palette
      ? `<a:solidFill><a:srgbClr val="${palette[at % palette.length]}"/></a:solidFill>`
      : kind === 'scatter'
        ? `<a:solidFill><a:schemeClr val="accent${(at % ACCENTS) + 1}"/></a:solidFill>`
        : ''
  const fill = fillOf(index)
  const marker = (symbol: string) =>
    `<c:marker><c:symbol val="${symbol}"/><c:size val="6"/>${fill && `<c:spPr>${fill}</c:spPr>`}</c:marker>`
  if (kind === 'scatter')
    return [`<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr>${marker('circle')}`, '']
  if (!palette) return ['', '']
  if (kind === 'line')
    return [
      `<c:spPr><a:ln w="28575" cap="rnd">${fill}<a:round/></a:ln></c:spPr>${marker('circle')}`,
      '',
    ]
  if (kind !== 'pie' && kind !== 'doughnut') return [`<c:spPr>${fill}</c:spPr>`, '']
  const count = Math.min(values.count ?? values.values.length, MOST_COLOURED)
  const points = Array.from(
    { length: count },
    (_, at) =>
      `<c:dPt><c:idx val="${at}"/><c:bubble3D val="0"/><c:spPr>${fillOf(at)}</c:spPr></c:dPt>`,
  )
  return ['', points.join('')]
}

function nameXml(name: PlannedSeries['name']): string {
  if (!name) return ''
  if (name.formula === undefined) return `<c:tx><c:v>${encodeText(name.text)}</c:v></c:tx>`
  return `<c:tx><c:strRef><c:f>${encodeText(name.formula)}</c:f><c:strCache>${pointsXml([name.text])}</c:strCache></c:strRef></c:tx>`
}

/** A reference to cells with the values they hold. */
function valuesXml({ formula, values, count, format }: ChartValues, as?: 'numbers'): string {
  const isNumbers = as === 'numbers' || values.every(own => typeof own !== 'string')
  const points = pointsXml(
    isNumbers ? values.map(own => (typeof own === 'number' ? own : null)) : values,
    count,
  )
  const f = `<c:f>${encodeText(formula)}</c:f>`
  if (!isNumbers) return `<c:strRef>${f}<c:strCache>${points}</c:strCache></c:strRef>`
  const code = `<c:formatCode>${encodeText(format ?? 'General')}</c:formatCode>`
  return `<c:numRef>${f}<c:numCache>${code}${points}</c:numCache></c:numRef>`
}

function axesXml(plan: ChartPlan, kind: ChartKind): string {
  const { xTitle, yTitle, grouping, lines = '' } = plan
  const [across, up] = kind === 'bar' ? ['l', 'b'] : ['b', 'l']
  const [x, y] = AXES.first
  const first = axisXml({ id: x, other: y, place: across, title: xTitle })
  const second = axisXml({
    id: y,
    other: x,
    place: up,
    title: yTitle,
    lines,
    isPercent: grouping === 'percentStacked',
  })
  const crossing = kind === 'area' ? 'midCat' : 'between'
  const tail =
    '<c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/>'
  return kind === 'scatter'
    ? `<c:valAx>${first}<c:crossBetween val="midCat"/></c:valAx><c:valAx>${second}<c:crossBetween val="midCat"/></c:valAx>`
    : `<c:catAx>${first}${tail}</c:catAx><c:valAx>${second}<c:crossBetween val="${crossing}"/></c:valAx>`
}

/** The axis of values at the other side; that of its categories is the usual one, so it is not drawn. */
function secondAxesXml(kind: ChartKind): string {
  const [x, y] = AXES.second
  const hidden = axisXml({ id: x, other: y, place: 'b', isHidden: true })
  const shown = axisXml({ id: y, other: x, place: 'r', crosses: 'max' })
  const values = `<c:valAx>${shown}<c:crossBetween val="between"/></c:valAx>`
  return kind === 'scatter'
    ? `<c:valAx>${hidden}<c:crossBetween val="midCat"/></c:valAx>${values}`
    : `${values}<c:catAx>${hidden}<c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>`
}

function axisXml(axis: {
  readonly id: string
  readonly other: string
  readonly place: string
  readonly title?: string | undefined
  /** Their colour; empty for the program's own. */
  readonly lines?: string
  readonly isPercent?: boolean
  readonly isHidden?: boolean
  readonly crosses?: string
}): string {
  const { id, other, place, title, lines, isPercent, isHidden, crosses = 'autoZero' } = axis
  const format = isPercent
    ? 'formatCode="0%" sourceLinked="0"'
    : 'formatCode="General" sourceLinked="1"'
  return `<c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="${isHidden ? 1 : 0}"/><c:axPos val="${place}"/>${lines === undefined ? '' : linesXml(lines)}${title ? titleElement(title) : ''}<c:numFmt ${format}/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="${other}"/><c:crosses val="${crosses}"/>`
}

function linesXml(colour: string): string {
  return colour === ''
    ? '<c:majorGridlines/>'
    : `<c:majorGridlines><c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill></a:ln></c:spPr></c:majorGridlines>`
}
