import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { StyleSheet } from '../parts/styles.ts'
import { isOn, toggleOf, valOf } from '../parts/values.ts'
import type { ParagraphSpot } from './index-story.ts'
import type { TextPiece } from './pieces.ts'
import { textMapOf } from './text-map.ts'

/**
 * Whether a paragraph of a list has a number in the final view. Word gives none to
 * - a paragraph that a tracked change takes away, or whose mark it takes: it runs into the next one, which is counted;
 * - an empty paragraph that holds a section break: Word lays it out as the break, not as a line of text;
 * - a paragraph that is hidden together with its mark.
 */
export function takesNumber(
  tree: LiveTree,
  styles: StyleSheet,
  { node, cell }: ParagraphSpot,
  pieces: () => readonly TextPiece[],
): boolean {
  const properties = node.child('w:pPr')
  const mark = properties?.child('w:rPr')
  if (mark?.child('w:del') || mark?.child('w:moveFrom') || isInDeletedRow(cell)) return false
  if (properties?.child('w:sectPr') && textMapOf(pieces()).text === '') return false
  if (!(properties && isHidden(tree, styles, node, properties))) return true
  return textMapOf(pieces()).spans.some(
    ({ piece: { run } }) => !(run && isHidden(tree, styles, node, run)),
  )
}

function isInDeletedRow(cell: LiveNode | undefined): boolean {
  return cell?.closest('w:tr')?.child('w:trPr')?.child('w:del') !== undefined
}

/** Whether the `w:rPr` in a run, or in the properties of a paragraph for its mark, says that the text is hidden. */
export function isHidden(
  tree: LiveTree,
  styles: StyleSheet,
  paragraph: LiveNode,
  holder: LiveNode,
): boolean {
  const look = holder.child('w:rPr')
  const own = toggleOf(tree, look, 'w:vanish')
  if (own !== undefined) return own
  const ids = [valOf(tree, look, 'w:rStyle'), valOf(tree, paragraph.child('w:pPr'), 'w:pStyle')]
  for (const [index, id] of ids.entries()) {
    if (index === 0 && id === undefined) continue
    const found = styles.runProperty(id, 'w:vanish')
    if (found) return isOn(styles.tree?.attribute(found, 'w:val'))
  }
  return false
}
