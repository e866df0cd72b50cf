import type { LiveNode } from '../../../opc/index.ts'
import type { StyleSheet } from '../parts/styles.ts'
import { isOn, toggleOf } from '../parts/values.ts'
import type { Paragraph, Story } from './story.ts'
import { textMapOf } from './text-map.ts'

/**
 * Whether a paragraph of a list has a number in the final view. Word gives none to
 * - a paragraph that a tracked change takes away, or whose mark it takes: it runs into the next one, which is counted;
 * - an empty paragraph that holds a section break: Word lays it out as the break, not as a line of text;
 * - a paragraph that is hidden together with its mark.
 */
export function takesNumber(paragraph: Paragraph, styles: StyleSheet): boolean {
  const { story, node } = paragraph
  const properties = node.child('w:pPr')
  const mark = properties?.child('w:rPr')
  if (mark?.child('w:del') || mark?.child('w:moveFrom') || isInDeletedRow(paragraph)) return false
  if (properties?.child('w:sectPr') && textMapOf(story.pieces(paragraph)).text === '') return false
  if (!(properties && isHidden(story, styles, node, properties))) return true
  return textMapOf(story.pieces(paragraph)).spans.some(
    ({ piece: { run } }) => !(run && isHidden(story, styles, node, run)),
  )
}

function isInDeletedRow({ cell }: Paragraph): boolean {
  return cell?.closest('w:tr')?.child('w:trPr')?.child('w:del') !== undefined
}

/** Whether the `w:rPr` in a run, or in the properties of a paragraph for its mark, says that the text is hidden. */
export function isHidden(
  story: Story,
  styles: StyleSheet,
  paragraph: LiveNode,
  holder: LiveNode,
): boolean {
  const look = holder.child('w:rPr')
  const own = toggleOf(story.tree, look, 'w:vanish')
  if (own !== undefined) return own
  const ids = [story.tree.attribute(look?.child('w:rStyle'), 'w:val'), story.styleIdOf(paragraph)]
  for (const [index, id] of ids.entries()) {
    if (index === 0 && id === undefined) continue
    const found = styles.runProperty(id, 'w:vanish')
    if (found) return isOn(styles.tree?.attribute(found, 'w:val'))
  }
  return false
}
