import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { encodeAttribute, type LiveNode, type LiveTree } from '../../../../opc/index.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { byBody, paragraphAt } from '../../edit/matches.ts'
import { ensureRunProperties, FILLS, setRunChild } from '../../edit/run-properties.ts'
import { targetsOf } from '../../edit/targets.ts'
import { runsIn } from '../../edit/text-edit.ts'
import { indentedText } from '../../slide/text.ts'

type RunLook = (tree: LiveTree, properties: LiveNode) => void

/** Formats the matched text alone: its runs are split at the ends of the match. */
export function formatText(editor: DeckEditor, operation: Fields): OperationResult {
  const { look, words } = lookFor(operation)
  let count = 0
  const places: string[] = []
  for (const { body, matches } of byBody(editor, targetsOf(editor, operation))) {
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

const ATTRIBUTES: Readonly<Record<string, readonly [string, string, string]>> = {
  bold: ['b', '1', '0'],
  italic: ['i', '1', '0'],
  underline: ['u', 'sng', 'none'],
  strike: ['strike', 'sngStrike', 'noStrike'],
}

function lookFor(operation: Fields): { readonly look: RunLook; readonly words: string } {
  const looks: RunLook[] = []
  const words: string[] = []
  for (const [field, [name, on, off]] of Object.entries(ATTRIBUTES)) {
    const value = operation[field]
    if (typeof value !== 'boolean') continue
    looks.push((tree, properties) => tree.setAttribute(properties, name, value ? on : off))
    words.push(value ? field : `not ${field}`)
  }
  const { color, size, font } = operation
  if (typeof color === 'string') {
    const hex = /^#?([0-9a-f]{6})$/i.exec(color)?.[1]?.toUpperCase()
    if (!hex)
      throw wrongArgument(
        `color is six digits such as "C00000", and ${JSON.stringify(color)} is not`,
      )
    const xml = `<a:solidFill><a:srgbClr val="${hex}"/></a:solidFill>`
    looks.push((tree, properties) => setRunChild(tree, properties, xml, FILLS))
    words.push(hex)
  }
  if (size !== undefined) {
    if (typeof size !== 'number' || !(size >= 1 && size <= 4000))
      throw wrongArgument('size is in points, such as 18')
    const hundredths = String(Math.round(size * 100))
    looks.push((tree, properties) => tree.setAttribute(properties, 'sz', hundredths))
    words.push(`${size} pt`)
  }
  if (typeof font === 'string') {
    const xml = `<a:latin typeface="${encodeAttribute(font)}"/>`
    looks.push((tree, properties) => setRunChild(tree, properties, xml))
    words.push(font)
  }
  if (looks.length === 0)
    throw wrongArgument(
      'format_text needs a look: bold, italic, underline, strike, color, size or font',
    )
  return {
    look: (tree, properties) => {
      for (const look of looks) look(tree, properties)
    },
    words: words.join(', '),
  }
}
