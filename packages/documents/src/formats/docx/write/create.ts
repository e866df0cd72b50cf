import { fail, ok, type Result, toBytes } from '@filewright/protocol'
import { CONTENT_TYPES_NAME, readZip, zipContent } from '../../../opc/index.ts'
import { DocumentPackage } from '../parts/document-package.ts'
import { blankNumbering, blankStyles } from './blank-parts.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const MAIN_TYPES: Readonly<Record<string, string>> = {
  docx: `${TYPES}.document.main+xml`,
  dotx: `${TYPES}.template.main+xml`,
  docm: 'application/vnd.ms-word.document.macroEnabled.main+xml',
  dotm: 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
}
const EMPTY_ZIP = Uint8Array.from([0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0)])

/** An empty document with the usual styles and lists. */
export function createDocument(path: string): Result<Uint8Array> {
  const archive = readZip(EMPTY_ZIP)
  if (!archive.ok) return archive
  const text = (xml: string) => Buffer.from(`${DECLARATION}${xml}`)
  const parts = new Map<string, Uint8Array>([
    [
      '[Content_Types].xml',
      text(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${mainType(path)}"/><Override PartName="/word/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${TYPES}.numbering+xml"/><Override PartName="/word/settings.xml" ContentType="${TYPES}.settings+xml"/></Types>`,
      ),
    ],
    [
      '_rels/.rels',
      text(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${R}/officeDocument" Target="word/document.xml"/></Relationships>`,
      ),
    ],
    [
      'word/document.xml',
      text(
        `<w:document xmlns:w="${W}" xmlns:r="${R}"><w:body><w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`,
      ),
    ],
    [
      'word/_rels/document.xml.rels',
      text(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${R}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${R}/numbering" Target="numbering.xml"/><Relationship Id="rId3" Type="${R}/settings" Target="settings.xml"/></Relationships>`,
      ),
    ],
    ['word/styles.xml', text(blankStyles(W))],
    ['word/numbering.xml', text(blankNumbering(W))],
    [
      'word/settings.xml',
      text(
        `<w:settings xmlns:w="${W}"><w:zoom w:percent="100"/><w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="doNotCompress"/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
      ),
    ],
  ])
  return ok(toBytes(zipContent(archive.value, parts), EMPTY_ZIP))
}

/** The document under another name: a template becomes a document by its content type, which Word compares with the name. */
export function copyDocument(from: Uint8Array, path: string): Result<Uint8Array> {
  const opened = DocumentPackage.open(from)
  if (!opened.ok) return opened
  const own = opened.value
  const types = own.tree(own.opc.spellingOf(CONTENT_TYPES_NAME))
  if (!types.ok) return types
  const tree = types.value
  const declared = tree.root.children.find(
    node => tree.attribute(node, 'PartName')?.toLowerCase() === `/${own.mainName}`.toLowerCase(),
  )
  const type = mainType(path)
  if (!declared || tree.attribute(declared, 'ContentType') === type) return ok(from)
  if (own.hasMacros && !type.includes('macroEnabled'))
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was written: the document has macros, which ${JSON.stringify(path)} cannot hold under that name; choose one that ends in .docm.`,
    )
  tree.setAttribute(declared, 'ContentType', type)
  const content = own.content()
  return content.ok ? ok(toBytes(content.value, from)) : content
}

function mainType(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return MAIN_TYPES[ending] ?? MAIN_TYPES.docx!
}
