import { type BlankPlaceholder, FOOTERS, LAYOUTS, shapeXml } from './blank-layouts.ts'
import { DECLARATION, declared, TOP_GROUP } from './namespaces.ts'

const SMALL = (align: string) =>
  `<a:lvl1pPr algn="${align}"><a:defRPr sz="1200"><a:solidFill><a:schemeClr val="tx2"/></a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr></a:lvl1pPr>`
const SIZES = [2800, 2400, 2000, 1800, 1800, 1800, 1800, 1800, 1800]
const FONT = (kind: string) =>
  `<a:latin typeface="+${kind}-lt"/><a:ea typeface="+${kind}-ea"/><a:cs typeface="+${kind}-cs"/>`
const COLOR = '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'

/** The master of a new deck, which links its layouts as rId1 on. */
export function masterXml(): string {
  const shapes: readonly BlankPlaceholder[] = [
    { type: 'title', name: 'Title Placeholder 1', box: [66, 28, 828, 104], body: 'ctr' },
    { type: 'body', idx: 1, name: 'Text Placeholder 2', box: [66, 144, 828, 343] },
    ...FOOTERS.map((own, index) => ({
      ...own,
      idx: index + 2,
      style: SMALL(['l', 'ctr', 'r'][index]!),
    })),
  ]
  const layouts = LAYOUTS.map(
    (_, index) => `<p:sldLayoutId id="${2_147_483_649 + index}" r:id="rId${index + 1}"/>`,
  ).join('')
  return `${DECLARATION}<p:sldMaster ${declared(false, 'a', 'r', 'p')}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg><p:spTree>${TOP_GROUP}${shapes.map(shapeXml).join('')}</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst>${layouts}</p:sldLayoutIdLst><p:txStyles><p:titleStyle><a:lvl1pPr algn="l" defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:spcBef><a:spcPct val="0"/></a:spcBef><a:buNone/><a:defRPr sz="4000" kern="1200">${COLOR}${FONT('mj')}</a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle>${SIZES.map(bodyLevel).join('')}</p:bodyStyle><p:otherStyle>${SIZES.map(otherLevel).join('')}</p:otherStyle></p:txStyles></p:sldMaster>`
}

function bodyLevel(size: number, level: number): string {
  const before = level === 0 ? 1000 : 500
  return `<a:lvl${level + 1}pPr marL="${228_600 + level * 457_200}" indent="-228600" algn="l" defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:spcBef><a:spcPts val="${before}"/></a:spcBef><a:buFont typeface="Arial"/><a:buChar char="•"/><a:defRPr sz="${size}" kern="1200">${COLOR}${FONT('mn')}</a:defRPr></a:lvl${level + 1}pPr>`
}

/** Also the text of shapes that are no placeholders. */
export function otherLevel(_: number, level: number): string {
  return `<a:lvl${level + 1}pPr marL="${level * 457_200}" algn="l" defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1"><a:defRPr sz="1800" kern="1200">${COLOR}${FONT('mn')}</a:defRPr></a:lvl${level + 1}pPr>`
}
