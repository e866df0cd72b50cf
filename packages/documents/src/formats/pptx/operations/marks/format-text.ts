import { counted } from '@filewright/protocol'
import { toHex } from '../../../../fields/shared-fields.ts'
import { encodeAttribute, type LiveNode, type LiveTree } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { byBody, paragraphAt } from '../../edit/matches.ts'
import { ensureRunProperties, FILLS, setRunChild } from '../../edit/run-properties.ts'
import { targetsOf } from '../../edit/targets.ts'
import { runsIn } from '../../edit/text-edit.ts'
import { indentedText } from '../../slide/text.ts'

type RunLook = (tree: LiveTree, properties: LiveNode) => void

/** Formats the matched text alone: its runs are split at the ends of the match. */
export function formatText(editor: DeckEditor, args: DeckArgs<'format_text'>) {
  const { look, words } = lookFor(args)
  let count = 0
  const places: string[] = []
  for (const { body, matches } of byBody(editor, targetsOf(editor, args))) {
    let isMade = false
    const isDone = editor.editBody(
      body,
      (tree, node) => {
        for (const { paragraph, start, end } of [...matches].reverse())
          for (const run of runsIn(tree, paragraphAt(node, paragraph), start, end))
            look(tree, ensureRunProperties(tree, run))
        isMade = true
        return true
      },
      {
        kind: 'format',
        side: () => ({
          text: indentedText(body.tree, body.node),
          ...(isMade && { format: words }),
        }),
      },
    )
    if (!isDone) continue
    count += matches.length
    places.push(editor.deck.spotOf(body.ref))
  }
  return {
    op: 'format_text',
    message: `Formatted ${counted(count, 'place')} in ${counted(places.length, 'text')}.`,
    places,
  }
}

const ATTRIBUTES = {
  bold: ['b', '1', '0'],
  italic: ['i', '1', '0'],
  underline: ['u', 'sng', 'none'],
  strike: ['strike', 'sngStrike', 'noStrike'],
} as const

function lookFor(args: DeckArgs<'format_text'>): {
  readonly look: RunLook
  readonly words: string
} {
  const looks: RunLook[] = []
  const words: string[] = []
  for (const field of ['bold', 'italic', 'underline', 'strike'] as const) {
    const [name, on, off] = ATTRIBUTES[field]
    const value = args[field]
    if (value === undefined) continue
    looks.push((tree, properties) => tree.setAttribute(properties, name, value ? on : off))
    words.push(value ? field : `not ${field}`)
  }
  const { color, size, font } = args
  if (color !== undefined) {
    const hex = toHex(color)
    const xml = `<a:solidFill><a:srgbClr val="${hex}"/></a:solidFill>`
    looks.push((tree, properties) => setRunChild(tree, properties, xml, FILLS))
    words.push(hex)
  }
  if (size !== undefined) {
    const hundredths = String(Math.round(size * 100))
    looks.push((tree, properties) => tree.setAttribute(properties, 'sz', hundredths))
    words.push(`${size} pt`)
  }
  if (font !== undefined) {
    const xml = `<a:latin typeface="${encodeAttribute(font)}"/>`
    looks.push((tree, properties) => setRunChild(tree, properties, xml))
    words.push(font)
  }
  return {
    look: (tree, properties) => {
      for (const look of looks) look(tree, properties)
    },
    words: words.join(', '),
  }
}
