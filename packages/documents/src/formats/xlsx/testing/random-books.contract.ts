import { corpusFiles, readCorpusFile } from '../../../corpus.contract.ts'
import { type ZooBook, zooBook } from './zoo.contract.ts'

const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

const ROWS =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>10</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>3.5</v></c></row><row r="4"><c r="B4"><f>SUM(B1:B2)</f><v>13.5</v></c></row>'

const ZOO: Readonly<Record<string, ZooBook>> = {
  'names and merges': {
    strings: ['Region', 'North'],
    names:
      '<definedName name="Local" localSheetId="1">Costs!$A$1</definedName><definedName name="Total">Sales!$B$4</definedName>',
    sheets: {
      Sales: { rows: ROWS, tail: '<mergeCells count="1"><mergeCell ref="D1:E1"/></mergeCells>' },
      Costs: '<row r="1"><c r="A1"><f>Sales!B4*2</f><v>27</v></c><c r="B1"><v>5</v></c></row>',
    },
  },
  'shared and array formulas': {
    strings: ['one', '<r><t>ri</t></r><r><t>ch</t></r>'],
    sheets: {
      S: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>1.5</v></c></row><row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3"><f t="shared" ref="C3:C4" si="0">A1+1</f><v>2</v></c></row><row r="4"><c r="C4"><f t="shared" si="0"/><v>3</v></c><c r="D4"><f t="array" ref="D4:D5">A1:A2*2</f><v>1</v></c></row><row r="5"><c r="D5"><v>2</v></c></row>',
    },
  },
  'dates from 1904, a calculation chain, columns': {
    is1904: true,
    strings: ['Date'],
    sheets: {
      Days: {
        head: '<cols><col min="1" max="3" width="12" customWidth="1"/><col min="5" max="5" width="20" hidden="1" customWidth="1"/></cols>',
        rows: '<row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" s="2"><v>40000</v></c><c r="C1"><f>B1+1</f><v>40001</v></c></row>',
      },
      Rest: '<row r="2" hidden="1"><c r="B2"><f>Days!C1</f><v>40001</v></c></row>',
    },
    parts: {
      'xl/calcChain.xml': `<calcChain ${MAIN}><c r="C1" i="1"/><c r="B2" i="2"/></calcChain>`,
    },
    types: `<Override PartName="/xl/calcChain.xml" ContentType="${SHEET_TYPE}.calcChain+xml"/>`,
    workbookLinks: [['rId97', 'calcChain', 'calcChain.xml']],
  },
  'a table, a validation, a conditional format': {
    strings: ['Region', 'Amount', 'North'],
    sheets: {
      Data: {
        rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>7</v></c></row>',
        tail: '<conditionalFormatting sqref="B2:B9"><cfRule type="expression" priority="1"><formula>$B2&gt;Other!$A$1</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="A2:A9"><formula1>Other!$A$1:$A$3</formula1></dataValidation></dataValidations><tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
      Other: '<row r="1"><c r="A1"><f>SUM(Table1[Amount])</f><v>7</v></c></row>',
    },
    parts: {
      'xl/tables/table1.xml': `<table ${MAIN} id="1" name="Table1" displayName="Table1" ref="A1:B2"><autoFilter ref="A1:B2"/><tableColumns count="2"><tableColumn id="1" name="Region"/><tableColumn id="2" name="Amount"/></tableColumns></table>`,
    },
    types: `<Override PartName="/xl/tables/table1.xml" ContentType="${SHEET_TYPE}.table+xml"/>`,
  },
  'an element prefix': {
    prefix: 'x:',
    strings: ['North'],
    sheets: {
      P: '<x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1"><x:v>2</x:v></x:c></x:row>',
      Q: '<x:row r="3"><x:c r="B3"><x:f>P!C1</x:f><x:v>2</x:v></x:c></x:row>',
    },
  },
}

const SMALL = 20_000 // bytes

/** Workbooks to edit at random: each shape of the zoo, and small real ones where they are at hand. */
export function randomBooks(): { readonly title: string; readonly bytes: Uint8Array }[] {
  return [
    ...Object.entries(ZOO).map(([title, book]) => ({ title, bytes: zooBook(book) })),
    ...corpusFiles(file => file.category === 'xlsx' && file.size < SMALL).map(file => ({
      title: file.file,
      bytes: readCorpusFile(file),
    })),
  ]
}
