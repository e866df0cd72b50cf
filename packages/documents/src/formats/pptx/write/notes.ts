import { at, numberAt } from '../../../opc/index.ts'
import type { DeckPackage } from '../parts/deck-package.ts'
import type { Deck, Slide } from '../slide/deck.ts'
import { blankTheme } from './blank-theme.ts'
import { DECLARATION, declared, PRESENTATION, THEME_TYPE, TOP_GROUP } from './namespaces.ts'

/** A page of notes for a slide that has none, and a master for it where the deck has none. */
export function addNotes({ deck, page }: Slide): string {
  const own = deck.package
  const master = notesMaster(deck)
  const name = own.freeName('ppt/notesSlides/notesSlide', '.xml')
  own.addPart(name, `${PRESENTATION}.notesSlide+xml`, notesXml(own.isStrict))
  own.addLink(name, 'notesMaster', master)
  own.addLink(name, 'slide', page.part)
  own.addLink(page.part, 'notesSlide', name)
  return name
}

function notesXml(isStrict: boolean): string {
  return `${DECLARATION}<p:notes ${declared(isStrict, 'a', 'r', 'p')}><p:cSld><p:spTree>${TOP_GROUP}<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide Image Placeholder 1"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp><p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes Placeholder 2"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp></p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>`
}

/** The master of the notes; a deck that has none gets one. */
export function notesMaster(deck: Deck): string {
  const own = deck.package
  const known = own.linkedFrom(own.mainName, 'notesMaster')
  if (known !== undefined && own.has(known)) return known
  const name = own.freeName('ppt/notesMasters/notesMaster', '.xml')
  own.addPart(name, `${PRESENTATION}.notesMaster+xml`, masterXml(own))
  const theme = own.freeName('ppt/theme/theme', '.xml')
  own.addPart(theme, THEME_TYPE, blankTheme(own.isStrict))
  own.addLink(name, 'theme', theme)
  const id = own.addLink(own.mainName, 'notesMaster', name)
  const { main } = own
  const [list] = main.fragment(
    `<p:notesMasterIdLst><p:notesMasterId r:id="${id}"/></p:notesMasterIdLst>`,
  )
  const before = main.root.child('p:sldMasterIdLst')
  if (before) main.after(before, [list!])
  else main.insert(main.root, 0, [list!])
  return name
}

function masterXml({ isStrict, main }: DeckPackage): string {
  const size = at(main.root, 'p:notesSz')
  const width = numberAt(main, size, 'cx') ?? 6_858_000
  const height = numberAt(main, size, 'cy') ?? 9_144_000
  const part = (of: number, share: number) => Math.round(of * share)
  const box = (left: number, top: number, wide: number, high: number) =>
    `<a:xfrm><a:off x="${part(width, left)}" y="${part(height, top)}"/><a:ext cx="${part(width, wide)}" cy="${part(height, high)}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`
  const levels = Array.from(
    { length: 9 },
    (_, level) =>
      `<a:lvl${level + 1}pPr marL="${level * 457_200}" algn="l" defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1"><a:defRPr sz="1200" kern="1200"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr></a:lvl${level + 1}pPr>`,
  ).join('')
  return `${DECLARATION}<p:notesMaster ${declared(isStrict, 'a', 'r', 'p')}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg><p:spTree>${TOP_GROUP}<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide Image Placeholder 1"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr><p:spPr>${box(0.1, 0.125, 0.8, 0.3375)}<a:noFill/><a:ln w="12700"><a:solidFill><a:prstClr val="black"/></a:solidFill></a:ln></p:spPr></p:sp><p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes Placeholder 2"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" sz="quarter" idx="3"/></p:nvPr></p:nvSpPr><p:spPr>${box(0.1, 0.48, 0.8, 0.39)}</p:spPr><p:txBody><a:bodyPr vert="horz" lIns="91440" tIns="45720" rIns="91440" bIns="45720" rtlCol="0"/><a:lstStyle/><a:p><a:pPr lvl="0"/><a:r><a:rPr lang="en-US"/><a:t>Click to edit Master text styles</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:notesStyle>${levels}</p:notesStyle></p:notesMaster>`
}
