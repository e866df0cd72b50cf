import { bufferOf, type LiveNode } from '../../../opc/index.ts'
import type { Story } from '../story/story.ts'

/** Where pages begin, as Word last laid them out; none where the file does not say. */
export function pageStartsOf(
  body: Story,
): readonly { readonly page: number; readonly paragraph: string }[] {
  if (!bufferOf(body.tree.base).includes(MARK)) return []
  const [first] = body.paragraphs
  const found = first ? [{ page: 1, paragraph: first.id }] : []
  for (const { node, id, box } of body.paragraphs) {
    if (box) continue
    const breaks = countIn(node)
    for (let at = 0; at < breaks; at++) found.push({ page: found.length + 1, paragraph: id })
  }
  return found
}

const MARK = 'lastRenderedPageBreak'

function countIn(node: LiveNode): number {
  let count = 0
  for (const child of node.children) {
    if (child.name === `w:${MARK}`) count++
    else if (child.children.length > 0 && child.name !== 'w:txbxContent') count += countIn(child)
  }
  return count
}
