import type { LiveNode } from '../../../../opc/index.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import type { Story } from '../../story/story.ts'

/** The bytes of the pictures in a block, in order: two pictures are the same only if these are. */
export function picturesIn(manuscript: Manuscript, story: Story, node: LiveNode): string {
  const own = manuscript.package
  const parts: string[] = []
  for (const [name, attribute] of SOURCES)
    for (const picture of node.all(name)) {
      const id = story.tree.attribute(picture, attribute)
      const link = own.links(story.part).find(each => each.id === id)
      const bytes = link && !link.isExternal ? own.bytesOf(link.target) : undefined
      parts.push(bytes?.ok ? Buffer.from(bytes.value).toString('latin1') : (link?.target ?? ''))
    }
  return parts.join('\n')
}

const SOURCES = [
  ['a:blip', 'r:embed'],
  ['v:imagedata', 'r:id'],
] as const
