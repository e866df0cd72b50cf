import { toBytes, unwrap } from '@filewright/protocol'
import { OpcPackage } from '../../../opc/index.ts'
import { pptxFormat } from '../../pptx/format.ts'
import { logged, NAME, p, zooDocument } from './zoo.contract.ts'

const DATA = {
  categories: ['May', 'June'],
  series: [
    { name: 'Tea', values: [1, 2] },
    { name: 'Coffee', values: [3, null] },
  ],
}
/** A chart with its workbook, as a deck has them. */
export const chartDocument = withChart()

function withChart(): Uint8Array {
  const deck = unwrap(pptxFormat.create(NAME))
  const document = unwrap(pptxFormat.open(deck, NAME))
  unwrap(
    document.apply(
      logged([
        { op: 'add_slide', title: 'Sales' },
        { op: 'add_chart', index: 0, type: 'column', ...DATA },
      ]),
    ),
  )
  const opc = unwrap(OpcPackage.open(toBytes(unwrap(document.content()), deck)))
  const part = (name: string) => unwrap(opc.part(name))
  const C = 'http://schemas.openxmlformats.org/drawingml/2006/chart'
  const drawing = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="3000000" cy="2000000"/><wp:docPr id="7" name="Chart"/><a:graphic><a:graphicData uri="${C}"><c:chart xmlns:c="${C}" r:id="rId20"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  return zooDocument({
    body: `${p('Sales')}${drawing}${p('End')}`,
    links: [['rId20', 'chart', 'charts/chart1.xml']],
    parts: {
      'word/charts/chart1.xml': part('ppt/charts/chart1.xml'),
      'word/charts/_rels/chart1.xml.rels': Buffer.from(
        Buffer.from(part('ppt/charts/_rels/chart1.xml.rels'))
          .toString('utf8')
          .replace('/ppt/', '/word/'),
      ),
      'word/embeddings/Microsoft_Excel_Sheet1.xlsx': part(
        'ppt/embeddings/Microsoft_Excel_Sheet1.xlsx',
      ),
    },
    types:
      '<Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/><Override PartName="/word/charts/chart1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>',
  })
}
