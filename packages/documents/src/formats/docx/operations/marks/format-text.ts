import { counted } from '@filewright/protocol'
import { toHex } from '../../../../fields/shared-fields.ts'
import { encodeAttribute, type LiveNode, type LiveTree } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { runsOf } from '../../edit/format-text.ts'
import { ensureProperties, removeProperty, setProperty } from '../../edit/properties.ts'
import { byParagraph } from '../../edit/text-matches.ts'
import { targetsOf } from '../../edit/text-targets.ts'
import { trackProperties } from '../../edit/tracked-paragraph.ts'
import { textMapOf } from '../../story/text-map.ts'
import { describeLook } from '../../view/describe-look.ts'

const TOGGLES = {
  bold: ['w:b', 'w:bCs'],
  italic: ['w:i', 'w:iCs'],
  strike: ['w:strike'],
} as const
/** Formats the matched text alone: its runs are split at the ends of the match. */
export function formatText(editor: DocumentEditor, args: DocumentArgs<'format_text'>) {
  const look = lookOf(args)
  const targets = targetsOf(editor, args)
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

function lookOf(args: DocumentArgs<'format_text'>): Look {
  const looks: Look[] = []
  const set = (xml: string) => looks.push((tree, properties) => setProperty(tree, properties, xml))
  const drop = (name: string) =>
    looks.push((tree, properties) => removeProperty(tree, properties, name))
  for (const field of ['bold', 'italic', 'strike'] as const)
    if (args[field] !== undefined)
      for (const name of TOGGLES[field]) set(args[field] ? `<${name}/>` : `<${name} w:val="0"/>`)
  const { underline, color, highlight, size, font } = args
  if (underline !== undefined) set(`<w:u w:val="${underline ? 'single' : 'none'}"/>`)
  if (color !== undefined) set(`<w:color w:val="${color === 'auto' ? color : toHex(color)}"/>`)
  if (highlight === 'none') drop('w:highlight')
  else if (highlight !== undefined) set(`<w:highlight w:val="${highlight}"/>`)
  if (size !== undefined) {
    const halves = Math.round(size * 2)
    set(`<w:sz w:val="${halves}"/>`)
    set(`<w:szCs w:val="${halves}"/>`)
  }
  if (font !== undefined) {
    const name = encodeAttribute(font)
    set(`<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}"/>`)
  }
  return (tree, properties) => {
    for (const look of looks) look(tree, properties)
  }
}
