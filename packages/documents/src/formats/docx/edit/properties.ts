import type { LiveNode, LiveTree } from '../../../opc/index.ts'

/** The order in which the schema wants the properties of a run, of a paragraph and of a section. */
const RUN_ORDER =
  words(`rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof
  snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs
  em lang eastAsianLayout specVanish oMath rPrChange`)
const PARAGRAPH_ORDER =
  words(`pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers
  pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi
  adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment
  textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange`)
const SECTION_ORDER =
  words(`headerReference footerReference footnotePr endnotePr type pgSz pgMar paperSrc pgBorders lnNumType
  pgNumType cols formProt vAlign noEndnote titlePg textDirection bidi rtlGutter docGrid printerSettings sectPrChange`)
const CELL_ORDER = words(`cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar
  textDirection tcFitText vAlign hideMark headers cellIns cellDel cellMerge tcPrChange`)
const TABLE_ORDER = words(`tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize
  tblStyleColBandSize tblW jc tblCellSpacing tblInd tblBorders shd tblLayout tblCellMar tblLook
  tblCaption tblDescription tblPrChange`)

function words(list: string): readonly string[] {
  return list.split(/\s+/).map(word => `w:${word}`)
}

const ORDERS: Readonly<Record<string, readonly string[]>> = {
  'w:rPr': RUN_ORDER,
  'w:pPr': PARAGRAPH_ORDER,
  'w:sectPr': SECTION_ORDER,
  'w:tcPr': CELL_ORDER,
  'w:tblPr': TABLE_ORDER,
}

/** The properties of a run or a paragraph, made first if there are none. */
export function ensureProperties(tree: LiveTree, node: LiveNode): LiveNode {
  const name = node.name === 'w:r' ? 'w:rPr' : 'w:pPr'
  const own = node.child(name)
  if (own) return own
  const [made] = tree.fragment(`<${name}/>`)
  tree.insert(node, 0, [made!])
  return made!
}

/** Puts an element where the schema wants it, in place of one of the same name. */
export function putProperty(tree: LiveTree, properties: LiveNode, made: LiveNode): void {
  const old = properties.child(made.name)
  if (old) {
    tree.before(old, [made])
    tree.remove(old)
    return
  }
  const order = ORDERS[properties.name] ?? []
  const rank = order.indexOf(made.name)
  const at = properties.children.findIndex(
    ({ name }) => name !== '' && order.indexOf(name) > rank && rank >= 0,
  )
  tree.insert(properties, at < 0 ? properties.children.length : at, [made])
}

/** `<w:b/>`, `<w:color w:val="FF0000"/>`: sets one property by its XML. */
export function setProperty(tree: LiveTree, properties: LiveNode, xml: string): void {
  const [made] = tree.fragment(xml)
  putProperty(tree, properties, made!)
}

export function removeProperty(
  tree: LiveTree,
  properties: LiveNode | undefined,
  name: string,
): void {
  const own = properties?.child(name)
  if (own) tree.remove(own)
}
