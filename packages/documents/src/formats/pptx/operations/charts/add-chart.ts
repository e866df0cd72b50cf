import { type Fields, lookUp } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { encodeText } from '../../../../opc/index.ts'
import { xlsxFormat } from '../../../xlsx/format.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { slideField } from '../../edit/fields.ts'
import { addShape } from '../../edit/placeholders.ts'
import { DECLARATION, declared } from '../../write/namespaces.ts'
import { addingShape, boxField, boxXml, middleOf } from '../shapes/box-fields.ts'
import { categoriesField, type SeriesField, seriesField } from './chart-fields.ts'
import { columnName, writtenWorkbook } from './chart-workbook.ts'

const CHART_TYPE = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'
const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const AXES = '<c:axId val="111111111"/><c:axId val="222222222"/>'
const GROUPS: Readonly<Record<string, readonly [before: string, element: string, after: string]>> =
  {
    column: [
      '<c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>',
      'c:barChart',
      `<c:gapWidth val="80"/>${AXES}`,
    ],
    bar: [
      '<c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>',
      'c:barChart',
      `<c:gapWidth val="80"/>${AXES}`,
    ],
    line: [
      '<c:grouping val="standard"/><c:varyColors val="0"/>',
      'c:lineChart',
      `<c:marker val="1"/>${AXES}`,
    ],
    pie: ['<c:varyColors val="1"/>', 'c:pieChart', '<c:firstSliceAng val="0"/>'],
  }

/** A chart with a workbook of its own: what it shows and what it opens say the same. */
export function addChart(editor: DeckEditor, operation: Fields): OperationResult {
  const type = String(operation.type ?? operation.chart_type ?? 'column')
  const group = lookUp(GROUPS, type)
  if (!group) throw wrongArgument(`type is one of ${Object.keys(GROUPS).join(', ')}`)
  const categories = categoriesField(operation)
  const series = seriesField(operation)
  if (!categories || series.length === 0)
    throw wrongArgument('add_chart needs categories, and series as a list of {name, values}')
  if (series.some(({ values }) => values.length !== categories.length))
    throw wrongArgument(`every series needs ${categories.length} values, one for each category`)
  if (type === 'pie' && series.length > 1)
    throw wrongArgument('a pie chart shows one series; use a column chart for several')
  const slide = slideField(editor, operation)
  const id = editor.newId()
  const box = boxField(operation, middleOf(slide))
  const name = 'Chart'
  addingShape(editor, slide, id, name, {
    kind: 'shape',
    text: series.map(own => `${own.name ?? ''}: ${own.values.join(' | ')}`).join('\n'),
    make: () => {
      const own = editor.deck.package
      const part = own.freeName('ppt/charts/chart', '.xml')
      const book = own.freeName('ppt/embeddings/Microsoft_Excel_Sheet', '.xlsx')
      own.addPart(book, WORKBOOK_TYPE, workbookOf(categories, series))
      const axes = type === 'pie' ? '' : axesXml(type === 'bar')
      own.addPart(
        part,
        CHART_TYPE,
        chartXml(
          own.isStrict,
          group,
          seriesXml(categories, series),
          axes,
          titleXml(operation.title),
        ),
      )
      const data = own.addLink(part, 'package', book)
      const tree = own.findTree(part)!
      tree.append(
        tree.root,
        tree.fragment(`<c:externalData r:id="${data}"><c:autoUpdate val="0"/></c:externalData>`),
      )
      const link = own.addLink(slide.page.part, 'chart', part)
      const uri = own.isStrict
        ? 'http://purl.oclc.org/ooxml/drawingml/chart'
        : 'http://schemas.openxmlformats.org/drawingml/2006/chart'
      const [node] = slide.page.tree.fragment(
        `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="${name}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${boxXml(box)}</p:xfrm><a:graphic><a:graphicData><c:chart r:id="${link}"/></a:graphicData></a:graphic></p:graphicFrame>`,
      )
      const [holder] = [...node!.all('a:graphicData')]
      slide.page.tree.setAttribute(holder!, 'uri', uri)
      addShape(slide.page.tree, slide.page.shapeTree!, node!)
    },
  })
  return { op: 'add_chart', message: `Added a ${type} chart to slide ${slide.index}.`, shape: id }
}

function workbookOf(
  categories: readonly (string | number)[],
  series: readonly SeriesField[],
): Uint8Array {
  const path = 'chart.xlsx' as Parameters<typeof xlsxFormat.create>[0]['path']
  const created = xlsxFormat.create({ docPath: 'chart.xlsx' as never, path })
  if (!created.ok) throw new Error(created.failure.message)
  const written = writtenWorkbook(created.value, [
    { sheet: 'Sheet1', column: 1, row: 2, isAcross: false, values: categories, before: 0 },
    ...series.map(({ name, values }, index) => ({
      sheet: 'Sheet1',
      column: index + 2,
      row: 1,
      isAcross: false,
      values: [name ?? `Series ${index + 1}`, ...values],
      before: 0,
    })),
  ])
  if (typeof written === 'string') throw new Error(written)
  return written
}

function seriesXml(
  categories: readonly (string | number)[],
  series: readonly SeriesField[],
): string {
  const last = categories.length + 1
  const points = (values: readonly (string | number | null)[]) =>
    `<c:ptCount val="${values.length}"/>${values.map((value, index) => (value === null ? '' : `<c:pt idx="${index}"><c:v>${encodeText(String(value))}</c:v></c:pt>`)).join('')}`
  return series
    .map(({ name, values }, index) => {
      const column = columnName(index + 2)
      const label = name ?? `Series ${index + 1}`
      return `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>Sheet1!$${column}$1</c:f><c:strCache>${points([label])}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:f>Sheet1!$A$2:$A$${last}</c:f><c:strCache>${points(categories)}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>Sheet1!$${column}$2:$${column}$${last}</c:f><c:numCache><c:formatCode>General</c:formatCode>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`
    })
    .join('')
}

function titleXml(title: unknown): string {
  if (typeof title !== 'string' || title === '') return '<c:autoTitleDeleted val="1"/>'
  return `<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr/><a:t>${encodeText(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/>`
}

function axesXml(isBar: boolean): string {
  const [across, up] = isBar ? ['l', 'b'] : ['b', 'l']
  const axis = (id: string, other: string, place: string) =>
    `<c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${place}"/>${id === '222222222' ? '<c:majorGridlines/>' : ''}<c:numFmt formatCode="General" sourceLinked="1"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="${other}"/><c:crosses val="autoZero"/>`
  return `<c:catAx>${axis('111111111', '222222222', across!)}<c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx><c:valAx>${axis('222222222', '111111111', up!)}<c:crossBetween val="between"/></c:valAx>`
}

function chartXml(
  isStrict: boolean,
  [before, element, after]: readonly [string, string, string],
  series: string,
  axes: string,
  title: string,
): string {
  return `${DECLARATION}<c:chartSpace ${declared(isStrict, 'c', 'a', 'r')}><c:roundedCorners val="0"/><c:chart>${title}<c:plotArea><c:layout/><${element}>${before}${series}${after}</${element}>${axes}</c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`
}
