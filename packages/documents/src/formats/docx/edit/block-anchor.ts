import type { Fields } from '@filewright/protocol'
import type { LiveNode } from '../../../opc/index.ts'
import { paragraphAt, paragraphById, tableById } from '../story/places.ts'
import type { Story } from '../story/story.ts'
import { type DocumentEditor, invalid } from './editor.ts'

/** Where new blocks go: beside a paragraph or a table. */
export interface BlockAnchor {
  readonly id: string
  readonly node: LiveNode
  readonly story: Story
  readonly side: 'after' | 'before'
}

/** `after` or `before`: a paragraph, a table, or a heading, which means its section. */
export function blockAnchorFor(editor: DocumentEditor, operation: Fields): BlockAnchor {
  const side = operation.before !== undefined && operation.before !== null ? 'before' : 'after'
  const target = operation[side]
  if (target === undefined || target === null)
    throw invalid(
      `${operation.op} needs after or before: a paragraph such as "p12", a table or a heading`,
    )
  const { manuscript } = editor
  const id = editor.resolve('anchor', () => {
    const table = typeof target === 'string' ? tableById(manuscript, target.trim()) : undefined
    if (table) return table.id
    const found = paragraphAt(manuscript, target, side === 'before' ? 'first' : 'last')
    const isNamed = typeof target === 'string' && target.trim().toLowerCase() === found.id
    if (isNamed || typeof target === 'number') return found.id
    return outermostTable(found.story, found.node) ?? found.id
  })
  const table = tableById(manuscript, id)
  const { node, story } = table ?? paragraphById(manuscript, id)
  return { id, node, story, side }
}

/** A section that ends with a table is followed by what comes after the table, not by what is in its last cell. */
function outermostTable(story: Story, node: LiveNode): string | undefined {
  let found: LiveNode | undefined
  for (let at = node.parent; at && at !== story.root; at = at.parent)
    if (at.name === 'w:tbl') found = at
  return found && story.idOf(found)
}
