import { DECLARATION, declared, TOP_GROUP } from './namespaces.ts'

/** A placeholder of a new layout: its kind, index, name, and its box in points. */
export interface BlankPlaceholder {
  readonly type: string
  readonly idx?: number
  readonly name: string
  readonly box?: readonly [number, number, number, number]
  readonly style?: string
  readonly body?: string
}

interface BlankLayout {
  readonly name: string
  readonly type: string
  readonly placeholders: readonly BlankPlaceholder[]
}

const POINT = 12_700
const CENTERED = '<a:lvl1pPr algn="ctr"><a:defRPr sz="4800"/></a:lvl1pPr>'
const SUBTITLE =
  '<a:lvl1pPr marL="0" indent="0" algn="ctr"><a:buNone/><a:defRPr sz="2400"/></a:lvl1pPr>'
const HEADING = '<a:lvl1pPr><a:defRPr sz="4000"/></a:lvl1pPr>'
const PLAIN = '<a:lvl1pPr marL="0" indent="0"><a:buNone/><a:defRPr sz="2000"/></a:lvl1pPr>'
const LABEL = '<a:lvl1pPr marL="0" indent="0"><a:buNone/><a:defRPr sz="2200" b="1"/></a:lvl1pPr>'
const TITLE: BlankPlaceholder = { type: 'title', name: 'Title 1' }

export const LAYOUTS: readonly BlankLayout[] = [
  {
    name: 'Title Slide',
    type: 'title',
    placeholders: [
      { type: 'ctrTitle', name: 'Title 1', box: [120, 88, 720, 188], style: CENTERED, body: 'b' },
      { type: 'subTitle', idx: 1, name: 'Subtitle 2', box: [120, 284, 720, 130], style: SUBTITLE },
    ],
  },
  {
    name: 'Title and Content',
    type: 'obj',
    placeholders: [TITLE, { type: 'obj', idx: 1, name: 'Content Placeholder 2' }],
  },
  {
    name: 'Section Header',
    type: 'secHead',
    placeholders: [
      { type: 'title', name: 'Title 1', box: [66, 134, 828, 200], style: HEADING, body: 'b' },
      { type: 'body', idx: 1, name: 'Text Placeholder 2', box: [66, 340, 828, 118], style: PLAIN },
    ],
  },
  {
    name: 'Two Content',
    type: 'twoObj',
    placeholders: [
      TITLE,
      { type: 'obj', idx: 1, name: 'Content Placeholder 2', box: [66, 144, 408, 343] },
      { type: 'obj', idx: 2, name: 'Content Placeholder 3', box: [486, 144, 408, 343] },
    ],
  },
  {
    name: 'Comparison',
    type: 'twoTxTwoObj',
    placeholders: [
      TITLE,
      { type: 'body', idx: 1, name: 'Text Placeholder 2', box: [66, 138, 408, 56], style: LABEL },
      { type: 'obj', idx: 2, name: 'Content Placeholder 3', box: [66, 198, 408, 290] },
      { type: 'body', idx: 3, name: 'Text Placeholder 4', box: [486, 138, 408, 56], style: LABEL },
      { type: 'obj', idx: 4, name: 'Content Placeholder 5', box: [486, 198, 408, 290] },
    ],
  },
  { name: 'Title Only', type: 'titleOnly', placeholders: [TITLE] },
  {
    name: 'Picture with Caption',
    type: 'picTx',
    placeholders: [
      { type: 'title', name: 'Title 1', box: [66, 36, 310, 126], style: HEADING, body: 'b' },
      { type: 'pic', idx: 1, name: 'Picture Placeholder 2', box: [408, 78, 486, 384] },
      { type: 'body', idx: 2, name: 'Text Placeholder 3', box: [66, 162, 310, 300], style: PLAIN },
    ],
  },
  { name: 'Blank', type: 'blank', placeholders: [] },
]

export const FOOTERS: readonly BlankPlaceholder[] = [
  { type: 'dt', idx: 10, name: 'Date Placeholder', box: [66, 500, 216, 29] },
  { type: 'ftr', idx: 11, name: 'Footer Placeholder', box: [318, 500, 324, 29] },
  { type: 'sldNum', idx: 12, name: 'Slide Number Placeholder', box: [678, 500, 216, 29] },
]

export function layoutXml({ name, type, placeholders }: BlankLayout): string {
  const shapes = [...placeholders, ...FOOTERS.map(({ box: _, ...rest }) => rest)]
  return `${DECLARATION}<p:sldLayout ${declared(false, 'a', 'r', 'p')} type="${type}" preserve="1"><p:cSld name="${name}"><p:spTree>${TOP_GROUP}${shapes.map(shapeXml).join('')}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`
}

export function shapeXml(own: BlankPlaceholder, position: number): string {
  const { type, idx, name, box, style = '', body } = own
  const place = box
    ? `<a:xfrm><a:off x="${box[0] * POINT}" y="${box[1] * POINT}"/><a:ext cx="${box[2] * POINT}" cy="${box[3] * POINT}"/></a:xfrm>`
    : ''
  const kind = type === 'obj' ? '' : ` type="${type}"`
  const index = idx === undefined ? '' : ` idx="${idx}"`
  return `<p:sp><p:nvSpPr><p:cNvPr id="${position + 2}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph${kind}${index}/></p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody><a:bodyPr${body ? ` anchor="${body}"` : ''}/><a:lstStyle>${style}</a:lstStyle>${promptXml(own)}</p:txBody></p:sp>`
}

/** What a placeholder says while it is empty; a field where it shows one. */
export function promptXml({ type }: BlankPlaceholder): string {
  if (type === 'sldNum')
    return '<a:p><a:fld id="{6B4F1C1D-3F62-4E0A-9E5E-1D7A0C3B5A10}" type="slidenum"><a:rPr lang="en-US"/><a:t>‹#›</a:t></a:fld></a:p>'
  if (type === 'dt' || type === 'ftr') return '<a:p><a:endParaRPr lang="en-US"/></a:p>'
  const text = /title/i.test(type) ? 'Click to edit title' : 'Click to edit text'
  return `<a:p><a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r></a:p>`
}
