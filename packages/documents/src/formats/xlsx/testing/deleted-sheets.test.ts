import { toBytes, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { xlsxFormat } from '../format.ts'
import { edited, logged, NAME, openZoo, shown, type ZooBook } from './zoo.contract.ts'

const book: ZooBook = {
  sheets: {
    Sum: '<row r="1"><c r="A1"><f>SUM(Jan:Mar!A1)</f><v>6</v></c><c r="B1"><f>Feb!A1*2</f><v>4</v></c></row>',
    Jan: '<row r="1"><c r="A1"><v>1</v></c></row>',
    Feb: '<row r="1"><c r="A1"><v>2</v></c></row>',
    Mar: '<row r="1"><c r="A1"><v>3</v></c></row>',
    Notes: '',
  },
  names: '<definedName name="Second">Feb!$A$1</definedName>',
}
const drop = (sheet: string) => ({ op: 'delete_sheet', sheet })
const set = { op: 'set_cells', sheet: 'Sum', cells: [{ cell: 'A1', value: 0 }] }

test('deleting a sheet reports the formulas and names that lose it, even in review', () => {
  const broken = 'References to it now read #REF!: the name Second, Sum!B1'
  const { warnings, changes } = edited(book, [drop('Feb')])
  expect(warnings).toEqual([`${broken}.`])
  expect(changes[0]).toMatchObject({ place: 'sheet Feb', description: broken })
  expect(edited(book, [drop('Notes')]).warnings).toEqual([])
})

test('charts and validations that lose it are reported too', () => {
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const links = (kind: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${rel}/${kind}" Target="${target}"/></Relationships>`
  const { warnings } = edited(
    {
      sheets: {
        Sum: {
          rows: '',
          tail: '<dataValidations count="1"><dataValidation type="list" sqref="B2:B9"><formula1>Feb!$A$1:$A$3</formula1></dataValidation></dataValidations>',
          links: [['rId1', 'drawing', '../drawings/drawing1.xml']],
        },
        Feb: '<row r="1"><c r="A1"><v>2</v></c></row>',
      },
      parts: {
        'xl/drawings/drawing1.xml': `<d:wsDr xmlns:d="urn:d" xmlns:r="${rel}"><d:twoCellAnchor><d:from><d:col>3</d:col><d:row>0</d:row></d:from><d:chart r:id="rId1"/></d:twoCellAnchor></d:wsDr>`,
        'xl/drawings/_rels/drawing1.xml.rels': links('chart', '../charts/chart1.xml'),
        'xl/charts/chart1.xml':
          '<c:chartSpace xmlns:c="urn:c"><c:chart><c:plotArea><c:barChart><c:f>Feb!$A$1</c:f></c:barChart></c:plotArea></c:chart></c:chartSpace>',
      },
    },
    [drop('Feb')],
  )
  expect(warnings).toEqual([
    'References to it now read #REF!: the chart at Sum!D1, the validation of Sum!B2:B9.',
  ])
})

test('an end of a range of sheets goes once that formula is changed, and only with that change', () => {
  const { document, bytes } = openZoo(book)
  const refused = document.apply(logged([drop('Mar')]))
  expect(!refused.ok && refused.failure.message).toContain('a range of sheets in Sum!A1;')
  const log = logged([set, drop('Mar')])
  const { changes } = unwrap(document.apply(log))
  const [written, deleted] = changes
  expect(deleted!.dependsOn).toEqual([written!.id])
  const replayed = unwrap(xlsxFormat.replay(bytes, log, new Set([written!.id]), NAME))
  expect(replayed.dropped).toEqual([deleted!.id])
  const after = unwrap(xlsxFormat.open(toBytes(replayed.content, bytes), NAME))
  expect(shown(after, 'Sum', 'A1')).toBe('6 {=SUM(Jan:Mar!A1)}')
})
