import { ok, type Result, toBytes } from '@filewright/protocol'
import { readZip, zipContent } from '../../opc/index.ts'
import {
  blankStyles,
  mainNamespace,
  newSheetBytes,
  relationshipNamespace,
  XML_DECLARATION,
} from './new-sheet.ts'

const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const PACKAGE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const MAIN_TYPES: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  xltx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
  xltm: 'application/vnd.ms-excel.template.macroEnabled.main+xml',
}
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const EMPTY_ZIP = Uint8Array.from([0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0)])

/** A workbook with one empty sheet: the least that Excel and LibreOffice open. */
export function createWorkbook(path: string): Result<Uint8Array> {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const archive = readZip(EMPTY_ZIP)
  if (!archive.ok) return archive
  const text = (xml: string) => Buffer.from(`${XML_DECLARATION}${xml}`)
  const main = mainNamespace(false)
  const relationships = relationshipNamespace(false)
  const parts = new Map<string, Uint8Array>([
    [
      '[Content_Types].xml',
      text(
        `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${MAIN_TYPES[ending] ?? MAIN_TYPES.xlsx}"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/></Types>`,
      ),
    ],
    [
      '_rels/.rels',
      text(
        `<Relationships xmlns="${PACKAGE_RELATIONSHIPS}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
    ],
    [
      'xl/workbook.xml',
      text(
        `<workbook xmlns="${main}" xmlns:r="${relationships}"><bookViews><workbookView activeTab="0"/></bookViews><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      text(
        `<Relationships xmlns="${PACKAGE_RELATIONSHIPS}"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
      ),
    ],
    ['xl/worksheets/sheet1.xml', newSheetBytes(false)],
    ['xl/styles.xml', blankStyles(false)],
  ])
  return ok(toBytes(zipContent(archive.value, parts), EMPTY_ZIP))
}
