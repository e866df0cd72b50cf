import { fail, ok, type Result, toBytes } from '@filewright/protocol'
import {
  attribute,
  CONTENT_TYPES_NAME,
  children,
  fromUtf8,
  readZip,
  Splices,
  zipContent,
} from '../../../opc/index.ts'
import {
  blankStyles,
  mainNamespace,
  newSheetBytes,
  relationshipNamespace,
  XML_DECLARATION,
} from '../book/new-sheet.ts'
import { setAttribute } from '../book/splice-rows.ts'
import { openWorkbook } from '../book/workbook-part.ts'

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

/** A workbook with one empty sheet: the minimum that Excel and LibreOffice open. */
export function createWorkbook(path: string): Result<Uint8Array> {
  const archive = readZip(EMPTY_ZIP)
  if (!archive.ok) return archive
  const text = (xml: string) => Buffer.from(`${XML_DECLARATION}${xml}`)
  const main = mainNamespace(false)
  const relationships = relationshipNamespace(false)
  const parts = new Map<string, Uint8Array>([
    [
      '[Content_Types].xml',
      text(
        `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${mainType(path)}"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/></Types>`,
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

/**
 * The workbook under another name: a template becomes a workbook by its content type, which Excel compares with the
 * name.
 */
export function copyWorkbook(from: Uint8Array, path: string): Result<Uint8Array> {
  const opened = openWorkbook(from)
  if (!opened.ok) return opened
  const { package: own, name, hasMacros, sheets } = opened.value
  const type = mainType(path)
  const { document, encoding } = own.contentTypes
  const declared = children(document.root, 'Override').find(
    element => attribute(element, 'PartName')?.toLowerCase() === `/${name}`.toLowerCase(),
  )
  if (!declared || attribute(declared, 'ContentType') === type) return ok(from)
  const needsMacros = hasMacros || sheets.some(({ kind }) => kind === 'macrosheet')
  if (needsMacros && !type.includes('macroEnabled'))
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was written: the workbook has macros, which ${JSON.stringify(path)} cannot hold under that name; choose one that ends in .xlsm.`,
    )
  const splices = new Splices()
  setAttribute(splices, declared, 0, 'ContentType', type)
  const bytes = fromUtf8(splices.apply(document.bytes), encoding)
  return ok(toBytes(own.content(new Map([[own.spellingOf(CONTENT_TYPES_NAME), bytes]])), from))
}

function mainType(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return MAIN_TYPES[ending] ?? MAIN_TYPES.xlsx!
}
