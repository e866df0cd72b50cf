import type { Story } from '../story/story.ts'

/** Pictures, charts, diagrams and shapes with the paragraph they are in. */
export function imagesOf(
  story: Story,
): { readonly paragraph: string; readonly kind: string; readonly alt?: string }[] {
  return story.paragraphs.flatMap(paragraph => {
    if (!hasPicture(paragraph.node)) return []
    return story
      .pieces(paragraph)
      .filter(({ kind, node }) => kind === 'token' && PICTURES.has(node.name))
      .map(({ label }) => {
        const [, kind = label, alt] = /^([a-z ]+?)(?: "(.*)")?$/.exec(label) ?? []
        return { paragraph: paragraph.id, kind, ...(alt !== undefined && { alt }) }
      })
  })
}

const PICTURES: ReadonlySet<string> = new Set([
  'w:drawing',
  'w:pict',
  'w:object',
  'mc:AlternateContent',
])

function hasPicture(node: {
  readonly children: readonly { readonly name: string; readonly children: readonly unknown[] }[]
}): boolean {
  for (const child of node.children) {
    if (PICTURES.has(child.name)) return true
    if (child.children.length > 0 && child.name !== 'w:pPr' && hasPicture(child as typeof node))
      return true
  }
  return false
}
