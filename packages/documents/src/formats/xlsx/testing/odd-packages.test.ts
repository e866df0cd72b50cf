import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { readZip } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { xlsxFormat } from '../format.ts'
import {
  edited,
  logged,
  NAME,
  partText,
  saved,
  shown,
  type ZooBook,
  zooBook,
} from './zoo.contract.ts'

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

describe('a package whose names are divided by backslashes', () => {
  const book: ZooBook = {
    sheets: {
      S: {
        rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
        links: [['rId1', 'comments', '../comments1.xml']],
      },
    },
    parts: {
      'xl/comments1.xml':
        '<comments><authors><author>Ann</author></authors><commentList><comment ref="A1" authorId="0"><text><t>see</t></text></comment></commentList></comments>',
    },
  }
  const bytes = withBackslashes(zooBook(book))

  test('is read with all that hangs on its sheets', () => {
    const document = unwrap(xlsxFormat.open(bytes, NAME))
    expect(unwrap(document.map()).fields.sheets).toMatchObject([{ name: 'S', comments: ['A1'] }])
  })

  test('takes new sheets and lets old ones go', () => {
    const document = unwrap(xlsxFormat.open(bytes, NAME))
    const operations: Operation[] = [
      { op: 'ensure_sheet', sheet: 'T' },
      { op: 'set_cells', sheet: 'T', cells: [{ cell: 'B2', value: 7 }] },
      { op: 'delete_sheet', sheet: 'S' },
    ]
    unwrap(document.apply(logged(operations)))
    const after = saved(document, bytes)
    expect(shown(after.document, 'T', 'B2')).toBe('7')
    const names = unwrap(readZip(after.bytes)).entries.map(({ name }) => name)
    expect(names).not.toContain('xl/worksheets/sheet1.xml')
    expect(names).not.toContain('xl/comments1.xml')
  })

  function withBackslashes(zip: Uint8Array): Uint8Array {
    const { entries } = unwrap(readZip(zip))
    return buildZip(
      entries.map(({ name }) => ({ name: name.replaceAll('/', '\\'), data: partText(zip, name) })),
    )
  }
})

describe('a pivot that is kept outside the folder of the workbook', () => {
  const book: ZooBook = {
    sheets: { S: '<row r="1"><c r="A1"><v>1</v></c></row>', T: '' },
    workbookLinks: [
      ['rId7', 'pivotCacheDefinition', '/pivotCache/cache1.xml'],
      ['rId8', 'customXml', '../customXml/item1.xml'],
    ],
    types:
      '<Override PartName="/pivotCache/cache1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.pivotCacheDefinition+xml"/>',
    parts: {
      'pivotCache/cache1.xml':
        '<pivotCacheDefinition><cacheSource type="worksheet"><worksheetSource ref="A1:B2" sheet="S"/></cacheSource></pivotCacheDefinition>',
      'customXml/item1.xml': '<note><f>S!A1</f></note>',
    },
  }

  test('follows the name of its sheet, and data of other programs does not', () => {
    const { bytes } = edited(book, [{ op: 'rename_sheet', sheet: 'S', new_name: 'Sales' }])
    expect(partText(bytes, 'pivotCache/cache1.xml')).toContain('sheet="Sales"')
    expect(partText(bytes, 'customXml/item1.xml')).toBe('<note><f>S!A1</f></note>')
  })
})

describe('a sheet that is listed and has no part', () => {
  const book: ZooBook = {
    sheets: { S: '<row r="1"><c r="A1" t="inlineStr"><is><t>old</t></is></c></row>', Module1: '' },
    parts: {
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
  }

  test('is named in the map', () => {
    const document = unwrap(xlsxFormat.open(zooBook(book), NAME))
    const { text, warnings } = unwrap(document.map())
    expect(text).toContain('2. "Module1": not readable')
    expect(warnings?.[0]).toContain(
      'the sheet "Module1" is listed, but the file holds no part for it',
    )
  })

  test('is skipped when text is replaced everywhere', () => {
    const { after } = edited(book, [{ op: 'find_replace', search: 'old', replace: 'new' }])
    expect(shown(after, 'S', 'A1')).toBe('new')
  })

  test('does not count as one that stays to be seen', () => {
    const document = unwrap(xlsxFormat.open(zooBook(book), NAME))
    for (const op of ['delete_sheet', 'hide']) {
      const result = document.apply(logged([{ op, sheet: 'S' }]))
      expect(!result.ok && result.failure.message).toContain('is the only visible one')
    }
  })
})

describe('a sheet that is written with a line for each element', () => {
  const tail =
    '\n<hyperlinks>\n  <hyperlink ref="A1" location="S!B2" display="S!B2"/>\n  <hyperlink ref="A2" location="T!B2"/>\n</hyperlinks>\n<!-- S!A1 -->\n'
  const book: ZooBook = { sheets: { S: { rows: '\n', tail }, T: '' } }

  test('follows the name of a sheet in its links', () => {
    const { bytes } = edited(book, [{ op: 'rename_sheet', sheet: 'S', new_name: 'New' }])
    const text = partText(bytes, 'xl/worksheets/sheet1.xml')
    expect(text).toContain(tail.replace('location="S!B2"', 'location="New!B2"'))
  })

  test('loses the links to a sheet that goes', () => {
    const { bytes } = edited(book, [{ op: 'delete_sheet', sheet: 'T' }])
    const text = partText(bytes, 'xl/worksheets/sheet1.xml')
    expect(text).toContain(tail.replace('location="T!B2"', 'location="#REF!"'))
  })
})
