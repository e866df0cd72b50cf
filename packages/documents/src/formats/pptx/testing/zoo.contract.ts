import type { DocPath, LoggedOperation, Operation, RelativePath } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import type { OpenDocument } from '../../../format.ts'
import { OpcPackage, readZip } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { pptxFormat } from '../format.ts'

/** Small decks made by hand, so that every odd shape has a file in a clone without the corpus. */
export interface ZooSlide {
  /** XML of its shapes. */
  readonly shapes: string
  /** The number of its layout from 1: 1 title, 2 title and content, 6 title only, 8 blank. */
  readonly layout?: number
  readonly notes?: string
  /** Further links: id, kind, target. */
  readonly links?: readonly (readonly [string, string, string])[]
  readonly isHidden?: boolean
}

export interface ZooDeck {
  readonly slides: readonly ZooSlide[]
  readonly parts?: Readonly<Record<string, string | Uint8Array>>
  readonly types?: string
  readonly isSigned?: boolean
  readonly sections?: string
}

export const NAME = { docPath: 'deck.pptx' as DocPath, path: 'Deck.pptx' as RelativePath }
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SPACES = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${R}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`
const TYPE = 'application/vnd.openxmlformats-officedocument.presentationml'
const TOP =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'

export function zooDeck(deck: ZooDeck): Uint8Array {
  const base = unwrap(OpcPackage.open(unwrap(pptxFormat.create(NAME))))
  const parts: Record<string, string | Uint8Array> = {}
  for (const name of base.names) parts[name] = unwrap(base.part(name))
  const text = (name: string) => Buffer.from(parts[name]!).toString('utf8')
  const overrides: string[] = [deck.types ?? '']
  const main: (readonly [string, string, string])[] = []
  for (const [index, slide] of deck.slides.entries()) {
    const name = `ppt/slides/slide${index + 1}.xml`
    const notes = `notesSlide${index + 1}.xml`
    parts[name] =
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<p:sld ${SPACES}${slide.isHidden ? ' show="0"' : ''}><p:cSld><p:spTree>${TOP}${slide.shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`
    parts[`ppt/slides/_rels/slide${index + 1}.xml.rels`] = links([
      ['rId1', 'slideLayout', `../slideLayouts/slideLayout${slide.layout ?? 2}.xml`],
      ...(slide.notes === undefined
        ? []
        : [['rId2', 'notesSlide', `../notesSlides/${notes}`] as const]),
      ...(slide.links ?? []),
    ])
    overrides.push(`<Override PartName="/${name}" ContentType="${TYPE}.slide+xml"/>`)
    main.push([`rId${100 + index}`, 'slide', `slides/slide${index + 1}.xml`])
    if (slide.notes === undefined) continue
    parts[`ppt/notesSlides/${notes}`] =
      `<p:notes ${SPACES}><p:cSld><p:spTree>${TOP}${sp(3, 'Notes', slide.notes, '<p:ph type="body" idx="1"/>')}</p:spTree></p:cSld></p:notes>`
    parts[`ppt/notesSlides/_rels/${notes}.rels`] = links([
      ['rId1', 'slide', `../slides/slide${index + 1}.xml`],
    ])
    overrides.push(
      `<Override PartName="/ppt/notesSlides/${notes}" ContentType="${TYPE}.notesSlide+xml"/>`,
    )
  }
  const entries = deck.slides
    .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${100 + index}"/>`)
    .join('')
  const list = deck.slides.length > 0 ? `<p:sldIdLst>${entries}</p:sldIdLst>` : ''
  parts['ppt/presentation.xml'] = text('ppt/presentation.xml')
    .replace('<p:sldSz', `${list}<p:sldSz`)
    .replace('</p:presentation>', `${deck.sections ?? ''}</p:presentation>`)
  parts['ppt/_rels/presentation.xml.rels'] = joined(text('ppt/_rels/presentation.xml.rels'), main)
  parts['[Content_Types].xml'] = text('[Content_Types].xml').replace(
    '</Types>',
    `${overrides.join('')}</Types>`,
  )
  if (deck.isSigned) {
    parts['_xmlsignatures/origin.sigs'] = ''
    parts['_rels/.rels'] = joined(text('_rels/.rels'), [
      [
        'rId9',
        'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin',
        '_xmlsignatures/origin.sigs',
      ],
    ])
  }
  const all = { ...parts, ...deck.parts }
  return buildZip(Object.entries(all).map(([name, data]) => ({ name, data })))
}

function links(list: readonly (readonly [string, string, string])[]): string {
  return joined(
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>',
    list,
  )
}

function joined(xml: string, list: readonly (readonly [string, string, string])[]): string {
  const own = list.map(([id, kind, target]) => {
    const isExternal = /^https?:/.test(target)
    return `<Relationship Id="${id}" Type="${kind.includes(':') ? kind : `${R}/${kind}`}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`
  })
  return xml.replace('</Relationships>', `${own.join('')}</Relationships>`)
}

/** A shape with text: lines, or XML of paragraphs. */
export function sp(id: number, name: string, text: string, holder = ''): string {
  const paragraphs = text.startsWith('<')
    ? text
    : text
        .split('\n')
        .map(line => `<a:p><a:r><a:rPr lang="en-US"/><a:t>${line}</a:t></a:r></a:p>`)
        .join('')
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`
}

export function title(text: string, id = 2): string {
  return sp(id, 'Title 1', text, '<p:ph type="title"/>')
}

export function content(text: string, id = 3): string {
  return sp(id, 'Content Placeholder 2', text, '<p:ph idx="1"/>')
}

/** A table of plain cells. */
export function table(id: number, ...rows: readonly (readonly string[])[]): string {
  const cell = (text: string) =>
    text.startsWith('<')
      ? text
      : `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="en-US" b="1"/><a:t>${text}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>`
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="6000000" cy="${rows.length * 370_840}"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1" bandRow="1"/><a:tblGrid>${rows[0]!.map(() => `<a:gridCol w="${6_000_000 / rows[0]!.length}"/>`).join('')}</a:tblGrid>${rows.map(row => `<a:tr h="370840">${row.map(cell).join('')}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
}

export function openZoo(deck: ZooDeck): { document: OpenDocument; bytes: Uint8Array } {
  const bytes = zooDeck(deck)
  return { document: unwrap(pptxFormat.open(bytes, NAME)), bytes }
}

export function logged(operations: readonly Operation[], toolCallId = 'tc_1'): LoggedOperation[] {
  const circumstances = { time: '2026-01-31T00:00:00Z', author: 'test', seed: 1 }
  return operations.map((operation, index) => ({ toolCallId, index, operation, circumstances }))
}

export function saved(document: OpenDocument, base: Uint8Array): Uint8Array {
  return toBytes(unwrap(document.content()), base)
}

/** The bytes after the operations. */
export function edited(bytes: Uint8Array, ...operations: readonly Operation[]): Uint8Array {
  const document = unwrap(pptxFormat.open(bytes, NAME))
  unwrap(document.apply(logged(operations), { allowBreakSignature: true }))
  return saved(document, bytes)
}

export function partText(bytes: Uint8Array, name: string): string {
  return Buffer.from(unwrap(unwrap(OpcPackage.open(bytes)).part(name))).toString('utf8')
}

/** What a read shows, without the heads of slides and shapes. */
export function said(bytes: Uint8Array, region: Record<string, unknown> = {}): string[] {
  const document = unwrap(pptxFormat.open(bytes, NAME))
  return unwrap(document.read(region, { maxBytes: 1_000_000 }))
    .text.split('\n')
    .filter(line => line !== '' && !/^(===|\[)/.test(line))
}

/** Parts by name as they lie in the file. */
export function entriesOf(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  return new Map(
    unwrap(readZip(bytes)).entries.map(({ name, start, end }) => [
      name,
      bytes.subarray(start, end),
    ]),
  )
}
