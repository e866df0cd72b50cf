import type { DocPath, LoggedOperation, Operation, RelativePath } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import type { OpenDocument } from '../../../format.ts'
import { OpcPackage } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { docxFormat } from '../format.ts'
import { blankNumbering, blankStyles } from '../write/blank-parts.ts'

/** Small documents made by hand, so that every odd shape has a file in a clone without the corpus. */
export interface ZooDocument {
  /** The content of `<w:body>` in front of its section. */
  readonly body: string
  /** Further parts of the main part: id, kind, target, and the part's XML inside its root. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>
  readonly links?: readonly (readonly [string, string, string])[]
  readonly types?: string
  readonly settings?: string
  readonly styles?: string
  readonly numbering?: string
  readonly isSigned?: boolean
  readonly isStrict?: boolean
}

export const NAME = { docPath: 'letter.docx' as DocPath, path: 'Letter.docx' as RelativePath }
export const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const STRICT = 'http://purl.oclc.org/ooxml/wordprocessingml/main'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const NAMESPACES =
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" mc:Ignorable="wps"'

export function zooDocument(document: ZooDocument): Uint8Array {
  const w = document.isStrict ? STRICT : W
  const rel = document.isStrict
    ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const links = (list: readonly (readonly [string, string, string])[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
      .map(([id, kind, target]) => {
        const isExternal = target.includes(':')
        return `<Relationship Id="${id}" Type="${kind.includes(':') ? kind : `${rel}/${kind}`}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`
      })
      .join('')}</Relationships>`
  const parts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${WORD}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${WORD}.numbering+xml"/><Override PartName="/word/settings.xml" ContentType="${WORD}.settings+xml"/>${document.types ?? ''}</Types>`,
    '_rels/.rels': links([
      ['rId1', 'officeDocument', 'word/document.xml'],
      ...(document.isSigned
        ? [
            [
              'rId2',
              'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin',
              '_xmlsignatures/origin.sigs',
            ] as const,
          ]
        : []),
    ]),
    'word/document.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<w:document xmlns:w="${w}" xmlns:r="${rel}" ${NAMESPACES}><w:body>${document.body}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`,
    'word/_rels/document.xml.rels': links([
      ['rId1', 'styles', 'styles.xml'],
      ['rId2', 'numbering', 'numbering.xml'],
      ['rId3', 'settings', 'settings.xml'],
      ...(document.links ?? []),
    ]),
    'word/styles.xml': document.styles ?? blankStyles(w),
    'word/numbering.xml': document.numbering ?? blankNumbering(w),
    'word/settings.xml': `<w:settings xmlns:w="${w}">${document.settings ?? ''}</w:settings>`,
    ...(document.isSigned && { '_xmlsignatures/origin.sigs': '' }),
    ...document.parts,
  }
  return buildZip(Object.entries(parts).map(([name, data]) => ({ name, data })))
}

/** A paragraph of runs: plain text, or XML of runs. */
export function p(...runs: readonly string[]): string {
  return `<w:p>${runs.map(run => (run.startsWith('<') ? run : r(run))).join('')}</w:p>`
}

/** A run with its properties as XML: `r('text', '<w:b/>')`. */
export function r(text: string, properties = ''): string {
  return `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
}

/** A paragraph in a style. */
export function styled(style: string, ...runs: readonly string[]): string {
  return p(`<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`, ...runs)
}

/** A table of plain cells; a cell that begins with `<` is XML of its content. */
export function table(...rows: readonly (readonly string[])[]): string {
  const grid = rows[0]!.map(() => '<w:gridCol w:w="2000"/>').join('')
  const cell = (text: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${text.startsWith('<') ? text : p(text)}</w:tc>`
  const row = (cells: readonly string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`
  return `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join('')}</w:tbl>`
}

export function openZoo(document: ZooDocument): { document: OpenDocument; bytes: Uint8Array } {
  const bytes = zooDocument(document)
  return { document: unwrap(docxFormat.open(bytes, NAME)), bytes }
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
  return { bytes, document: unwrap(docxFormat.open(bytes, NAME)) }
}

export function partText(bytes: Uint8Array, name = 'word/document.xml'): string {
  return Buffer.from(unwrap(unwrap(OpcPackage.open(bytes)).part(name))).toString('utf8')
}

/** The lines that a read shows. */
export function shown(document: OpenDocument, region: Record<string, unknown> = {}): string[] {
  return unwrap(document.read(region, { maxBytes: 1_000_000 })).text.split('\n')
}

/** The body's XML after operations on it. */
export function bodyAfter(body: string, ...operations: readonly Operation[]): string {
  const { document, bytes } = openZoo({ body })
  unwrap(document.apply(logged(operations)))
  const text = partText(saved(document, bytes).bytes)
  return text.slice(text.indexOf('<w:body>') + 8, text.indexOf('<w:sectPr>'))
}
