import type { DocPath, LoggedOperation, Operation, RelativePath } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import type { OpenDocument } from '../../../format.ts'
import { OpcPackage } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { xlsxFormat } from '../format.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'

/** Small workbooks made by hand, so that every odd shape has a file in a clone without the corpus. */
export interface ZooSheet {
  /** The content of `<sheetData>`. */
  readonly rows: string
  readonly head?: string
  readonly tail?: string
  readonly state?: string
  /** Relationships of the sheet: id, kind, target. */
  readonly links?: readonly (readonly [string, string, string])[]
}

export interface ZooBook {
  readonly sheets: Readonly<Record<string, string | ZooSheet>>
  readonly strings?: readonly string[]
  readonly names?: string
  readonly is1904?: boolean
  readonly isStrict?: boolean
  readonly prefix?: string
  /** In place of the ones above, or in addition. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>
  readonly types?: string
  readonly workbookTail?: string
  readonly workbookLinks?: readonly (readonly [string, string, string])[]
  readonly isSigned?: boolean
}

export const NAME = { docPath: 'book.xlsx' as DocPath, path: 'Book.xlsx' as RelativePath }

const STYLES =
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>'

export function zooBook(book: ZooBook): Uint8Array {
  const main = book.isStrict
    ? 'http://purl.oclc.org/ooxml/spreadsheetml/main'
    : 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const rel = book.isStrict
    ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const p = book.prefix ?? ''
  const xmlns = p === '' ? `xmlns="${main}"` : `xmlns:${p.slice(0, -1)}="${main}"`
  const sheets = Object.entries(book.sheets).map(
    ([name, sheet]) => [name, typeof sheet === 'string' ? { rows: sheet } : sheet] as const,
  )
  const links = (list: readonly (readonly [string, string, string])[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
      .map(
        ([id, kind, target]) =>
          `<Relationship Id="${id}" Type="${kind.includes(':') ? kind : `${rel}/${kind}`}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`
  const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const parts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>${sheets.map((_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${spreadsheet}.sharedStrings+xml"/>${book.types ?? ''}</Types>`,
    '_rels/.rels': links([
      ['rId1', 'officeDocument', 'xl/workbook.xml'],
      ...(book.isSigned
        ? [
            [
              'rId2',
              'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin',
              '_xmlsignatures/origin.sigs',
            ] as const,
          ]
        : []),
    ]),
    'xl/workbook.xml': `<?xml version="1.0"?><${p}workbook ${xmlns} xmlns:r="${rel}"><${p}workbookPr${book.is1904 ? ' date1904="1"' : ''}/><${p}sheets>${sheets.map(([name, sheet], i) => `<${p}sheet name="${name.replaceAll('&', '&amp;')}" sheetId="${i + 1}"${sheet.state ? ` state="${sheet.state}"` : ''} r:id="rId${i + 1}"/>`).join('')}</${p}sheets>${book.names ? `<${p}definedNames>${book.names}</${p}definedNames>` : ''}${book.workbookTail ?? ''}</${p}workbook>`,
    'xl/_rels/workbook.xml.rels': links([
      ...sheets.map(
        (_, i) => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`] as const,
      ),
      ['rId98', 'styles', 'styles.xml'],
      ['rId99', 'sharedStrings', 'sharedStrings.xml'],
      ...(book.workbookLinks ?? []),
    ]),
    'xl/styles.xml': `<?xml version="1.0"?><styleSheet xmlns="${main}">${STYLES}</styleSheet>`,
    'xl/sharedStrings.xml': `<?xml version="1.0"?><sst xmlns="${main}">${(book.strings ?? []).map(text => (text.startsWith('<') ? `<si>${text}</si>` : `<si><t>${text}</t></si>`)).join('')}</sst>`,
    ...(book.isSigned && { '_xmlsignatures/origin.sigs': '' }),
  }
  for (const [i, [, sheet]] of sheets.entries()) {
    parts[`xl/worksheets/sheet${i + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8"?>\n<${p}worksheet ${xmlns} xmlns:r="${rel}" >${sheet.head ?? ''}<${p}sheetData>${sheet.rows}</${p}sheetData>${sheet.tail ?? ''}</${p}worksheet>`
    if (sheet.links) parts[`xl/worksheets/_rels/sheet${i + 1}.xml.rels`] = links(sheet.links)
  }
  Object.assign(parts, book.parts)
  return buildZip(Object.entries(parts).map(([name, data]) => ({ name, data })))
}

export function openZoo(book: ZooBook): { document: OpenDocument; bytes: Uint8Array } {
  const bytes = zooBook(book)
  return { document: unwrap(xlsxFormat.open(bytes, NAME)), bytes }
}

export function logged(operations: readonly Operation[], toolCallId = 'tc_1'): LoggedOperation[] {
  const circumstances = { time: '2026-01-31T00:00:00Z', author: 'test', seed: 1 }
  return operations.map((operation, index) => ({ toolCallId, index, operation, circumstances }))
}

/** The bytes after the operations, opened again. */
export function saved(
  document: OpenDocument,
  base: Uint8Array,
): { document: OpenDocument; bytes: Uint8Array } {
  const bytes = toBytes(unwrap(document.content()), base)
  return { bytes, document: unwrap(xlsxFormat.open(bytes, NAME)) }
}

/** A part's text. */
export function partText(bytes: Uint8Array, name: string): string {
  return Buffer.from(unwrap(unwrap(OpcPackage.open(bytes)).part(name))).toString('utf8')
}

/** What a cell shows, as `read` renders it: `24 {=B2*2}`. Empty for an empty cell. */
export function shown(document: OpenDocument, sheet: string, cell: string): string {
  const reading = document.read({ sheet, range: cell }, { maxBytes: 10_000 })
  if (!reading.ok)
    return reading.failure.code === 'NO_SUCH_REGION' ? '' : `!${reading.failure.message}`
  return /^\d+\|(.*)$/m.exec(reading.value.text)?.[1] ?? ''
}

/** Applies, saves, opens again, and answers with both. No edit may bring anything that Excel would repair. */
export function edited(book: ZooBook, operations: readonly Operation[]) {
  const { document, bytes } = openZoo(book)
  const applied = unwrap(document.apply(logged(operations)))
  const after = saved(document, bytes)
  expect(newSheetFaults(bytes, after.bytes)).toEqual([])
  return { ...applied, before: bytes, open: document, after: after.document, bytes: after.bytes }
}
