import { DECLARATION, declared } from './namespaces.ts'

const COLORS: readonly (readonly [string, string])[] = [
  ['dk1', '<a:sysClr val="windowText" lastClr="000000"/>'],
  ['lt1', '<a:sysClr val="window" lastClr="FFFFFF"/>'],
  ['dk2', '<a:srgbClr val="1F2A44"/>'],
  ['lt2', '<a:srgbClr val="EEF1F5"/>'],
  ['accent1', '<a:srgbClr val="2F5D8C"/>'],
  ['accent2', '<a:srgbClr val="D9772B"/>'],
  ['accent3', '<a:srgbClr val="5B8C5A"/>'],
  ['accent4', '<a:srgbClr val="8C5B8A"/>'],
  ['accent5', '<a:srgbClr val="C2A23A"/>'],
  ['accent6', '<a:srgbClr val="4A9AA5"/>'],
  ['hlink', '<a:srgbClr val="2F5D8C"/>'],
  ['folHlink', '<a:srgbClr val="8C5B8A"/>'],
]
const FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
const LINE = (width: number) =>
  `<a:ln w="${width}" cap="flat" cmpd="sng" algn="ctr">${FILL}<a:prstDash val="solid"/></a:ln>`
const EFFECT = '<a:effectStyle><a:effectLst/></a:effectStyle>'

/** Plain colours and fonts, for masters that need a theme of their own. */
export function blankTheme(isStrict = false): string {
  const colors = COLORS.map(([name, color]) => `<a:${name}>${color}</a:${name}>`).join('')
  const fonts = (face: string) =>
    `<a:latin typeface="${face}"/><a:ea typeface=""/><a:cs typeface=""/>`
  return `${DECLARATION}<a:theme ${declared(isStrict, 'a')} name="Plain"><a:themeElements><a:clrScheme name="Plain">${colors}</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>${fonts('Calibri')}</a:majorFont><a:minorFont>${fonts('Calibri')}</a:minorFont></a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>${FILL.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${LINE(6350)}${LINE(12_700)}${LINE(19_050)}</a:lnStyleLst><a:effectStyleLst>${EFFECT.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${FILL.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/></a:theme>`
}
