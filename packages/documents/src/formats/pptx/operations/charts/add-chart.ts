import type { ChartKind, PlannedSeries } from '../../../../charts/chart-plan.ts'
import { columnName, writtenWorkbook } from '../../../../charts/chart-workbook.ts'
import { CHART_TYPE, chartXml } from '../../../../charts/chart-xml.ts'
import type { ChartSeries } from '../../../../charts/write-chart.ts'
import { xlsxFormat } from '../../../xlsx/format.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { slideOf } from '../../edit/fields.ts'
import { addShape } from '../../edit/placeholders.ts'
import { addingShape, boxOf, boxXml, middleOf } from '../shapes/box-fields.ts'

const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A chart with a workbook of its own: what it shows and what it opens say the same. */
export function addChart(editor: DeckEditor, args: DeckArgs<'add_chart'>) {
  const { index, type, categories, series, title } = args
  if (series.some(({ values }) => values.length !== categories.length))
    throw wrongArgument(`every series needs ${categories.length} values, one for each category`)
  if (type === 'pie' && series.length > 1)
    throw wrongArgument('a pie chart shows one series; use a column chart for several')
  const slide = slideOf(editor, { index })
  const id = editor.newId(slide.page)
  const box = boxOf(args, middleOf(slide))
  const name = 'Chart'
  addingShape(editor, slide, id, name, {
    kind: 'shape',
    text: series.map(own => `${own.name ?? ''}: ${own.values.join(' | ')}`).join('\n'),
    make: () => {
      const own = editor.deck.package
      const part = own.freeName('ppt/charts/chart', '.xml')
      const book = own.freeName('ppt/embeddings/Microsoft_Excel_Sheet', '.xlsx')
      own.addPart(book, WORKBOOK_TYPE, workbookOf(categories, series))
      const plan = {
        series: plannedSeries(type, categories, series),
        legend: 'bottom' as const,
        textPoints: 14, // ten, which a chart has by itself, is too small on a slide
        ...(title !== undefined && { title }),
      }
      own.addPart(part, CHART_TYPE, chartXml(plan, own.isStrict))
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
      addShape(slide.page.tree, slide.page.shapeTree, node!)
    },
  })
  return { op: 'add_chart', message: `Added a ${type} chart to slide ${slide.index}.`, shape: id }
}

function workbookOf(
  categories: readonly (string | number)[],
  series: readonly ChartSeries[],
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

function plannedSeries(
  kind: ChartKind,
  categories: readonly (string | number)[],
  series: readonly ChartSeries[],
): PlannedSeries[] {
  const last = categories.length + 1
  return series.map(({ name, values }, index) => {
    const column = columnName(index + 2)
    return {
      kind,
      name: { text: name ?? `Series ${index + 1}`, formula: `Sheet1!$${column}$1` },
      categories: { formula: `Sheet1!$A$2:$A$${last}`, values: categories.map(String) },
      values: { formula: `Sheet1!$${column}$2:$${column}$${last}`, values },
    }
  })
}
