import type { InjectedFault } from '../injected-fault.ts'

const MAIN = 'xl/workbook.xml'
const SHEET = 'xl/worksheets/sheet1.xml'
const TABLE = 'xl/tables/table1.xml'
const DRAWING = 'xl/drawings/drawing1.xml'
const CHART = 'xl/charts/chart1.xml'
const PIVOT = 'xl/pivotTables/pivotTable1.xml'
const THREADS = 'xl/threadedComments/threadedComment1.xml'
const BOXES = 'xl/drawings/vmlDrawing1.vml'

/** Replaces the first of something in a part. */
function fault(rule: string, part: string, from: string | RegExp, to: string): InjectedFault {
  return { rule: `xlsx/${rule}`, part, damage: xml => xml.replace(from, to) }
}

export const WORKBOOK_FAULTS: readonly InjectedFault[] = [
  fault(
    'workbook-out-of-order',
    MAIN,
    /(<definedNames>.*<\/definedNames>)(.*)<\/workbook>/,
    '$2$1</workbook>',
  ),
  fault('name-not-allowed', MAIN, 'name="Rate"', 'name="A1"'),
  fault('name-not-allowed', MAIN, 'name="Rate"', 'name="my rate"'),
  fault('table-name-taken', MAIN, 'name="Rate"', 'name="sales"'),
  fault('table-totals-disagree', TABLE, 'totalsRowCount="1"', ''),
  fault('drawing-id-twice', DRAWING, /<xdr:cNvPr id="3"/, '<xdr:cNvPr id="2"'),
  fault('anchor-of-nothing', DRAWING, /<xdr:graphicFrame.*?<\/xdr:graphicFrame>/, ''),
  fault('anchor-of-nothing', DRAWING, '<xdr:clientData/>', ''),
  fault(
    'chart-out-of-order',
    CHART,
    /(<c:plotArea>.*<\/c:plotArea>)(<c:legend>.*<\/c:legend>)/,
    '$2$1',
  ),
  fault('chart-out-of-order', CHART, /(<c:cat>.*?<\/c:cat>)(<c:val>.*?<\/c:val>)/, '$2$1'),
  fault('chart-axis-missing', CHART, '<c:crossAx val="222222222"/>', '<c:crossAx val="7"/>'),
  fault('chart-series-twice', CHART, '<c:idx val="1"/>', '<c:idx val="0"/>'),
  fault('pivot-cache-missing', PIVOT, 'cacheId="1"', 'cacheId="9"'),
  fault('pivot-cache-missing', MAIN, /(<pivotCache [^>]*\/>)/, '$1$1'),
  fault('pivot-fields-disagree', PIVOT, /<pivotField dataField[^>]*\/>/, ''),
  fault('pivot-fields-disagree', PIVOT, 'fld="2"', 'fld="8"'),
  fault('pivot-fields-disagree', PIVOT, '<item x="1"/>', '<item x="5"/>'),
  fault('comment-without-box', BOXES, 'ObjectType="Note"', 'ObjectType="Rect"'),
  fault('comment-without-box', SHEET, /<legacyDrawing [^>]*\/>/, ''),
  fault('thread-of-nobody', THREADS, /personId="[^"]*"/, 'personId="{0}"'),
  fault('thread-of-nobody', THREADS, /parentId="[^"]*"/, 'parentId="{0}"'),
  fault('list-too-long', SHEET, '"Yes,No"', `"${'x'.repeat(300)}"`),
  fault('list-too-long', SHEET, /prompt="[^"]*"/, `prompt="${'x'.repeat(300)}"`),
]
