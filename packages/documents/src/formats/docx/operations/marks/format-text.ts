import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { encodeAttribute, type LiveNode, type LiveTree } from '../../../../opc/index.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { runsOf } from '../../edit/format-text.ts'
import { ensureProperties, removeProperty, setProperty } from '../../edit/properties.ts'
import { byParagraph } from '../../edit/text-matches.ts'
import { targetsOf } from '../../edit/text-targets.ts'
import { trackProperties } from '../../edit/tracked-paragraph.ts'
import { textMapOf } from '../../story/text-map.ts'
import { describeLook } from '../../view/describe-look.ts'

const TOGGLES: Readonly<Record<string, readonly string[]>> = {
  bold: ['w:b', 'w:bCs'],
  italic: ['w:i', 'w:iCs'],
  strike: ['w:strike'],
}
const HIGHLIGHTS =
  /^(black|blue|cyan|green|magenta|red|yellow|white|darkBlue|darkCyan|darkGreen|darkMagenta|darkRed|darkYellow|darkGray|lightGray|none)$/

/** Formats the matched text alone: its runs are split at the ends of the match. */
export function formatText(editor: DocumentEditor, operation: Fields): OperationResult {
  const look = lookOf(operation)
  const targets = targetsOf(editor, operation)
  let count = 0
  const places: string[] = []
  for (const { paragraph, matches } of byParagraph(editor, targets)) {
    const { story } = paragraph
    const { text } = textMapOf(story.pieces(paragraph))
    const side = () => ({
      ...editor.sideOf(paragraph),
      format: describeLook(editor.manuscript, paragraph),
    })
    const done = editor.editParagraph(
      paragraph,
      spot => {
        if (spot.node !== paragraph.node && textMapOf(story.pieces(spot)).text !== text)
          return false
        for (const range of [...matches].reverse())
          for (const run of runsOf(story, spot, range)) {
            if (editor.tracking) trackProperties(story.tree, run, editor.tracking)
            look(story.tree, ensureProperties(story.tree, run))
          }
        return true
      },
      { kind: 'format', side },
    )
    if (!done) continue
    count += matches.length
    places.push(paragraph.id)
  }
  return {
    op: 'format_text',
    message: `Formatted ${counted(count, 'place')} in ${counted(places.length, 'paragraph')}.`,
    places,
  }
}

type Look = (tree: LiveTree, properties: LiveNode) => void

function lookOf(operation: Fields): Look {
  const looks: Look[] = []
  const set = (xml: string) => looks.push((tree, properties) => setProperty(tree, properties, xml))
  const drop = (name: string) =>
    looks.push((tree, properties) => removeProperty(tree, properties, name))
  for (const [field, names] of Object.entries(TOGGLES))
    if (typeof operation[field] === 'boolean')
      for (const name of names) set(operation[field] ? `<${name}/>` : `<${name} w:val="0"/>`)
  if (typeof operation.underline === 'boolean')
    set(`<w:u w:val="${operation.underline ? 'single' : 'none'}"/>`)
  const { color, highlight, size, font } = operation
  if (typeof color === 'string') {
    const hex = /^#?([0-9a-f]{6})$/i.exec(color)?.[1]?.toUpperCase()
    if (!hex && color !== 'auto')
      throw invalid(`color is six digits such as "C00000", and ${JSON.stringify(color)} is not`)
    set(`<w:color w:val="${hex ?? 'auto'}"/>`)
  }
  if (typeof highlight === 'string') {
    if (!HIGHLIGHTS.test(highlight))
      throw invalid(
        `highlight is a colour of Word such as "yellow" or "none", and ${JSON.stringify(highlight)} is not`,
      )
    if (highlight === 'none') drop('w:highlight')
    else set(`<w:highlight w:val="${highlight}"/>`)
  }
  if (size !== undefined) {
    if (typeof size !== 'number' || !(size >= 1 && size <= 1638))
      throw invalid('size is in points, such as 11')
    const halves = Math.round(size * 2)
    set(`<w:sz w:val="${halves}"/>`)
    set(`<w:szCs w:val="${halves}"/>`)
  }
  if (typeof font === 'string') {
    const name = encodeAttribute(font)
    set(`<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}"/>`)
  }
  if (looks.length === 0)
    throw invalid(
      'format_text needs a look: bold, italic, underline, strike, color, highlight, size or font',
    )
  return (tree, properties) => {
    for (const look of looks) look(tree, properties)
  }
}
