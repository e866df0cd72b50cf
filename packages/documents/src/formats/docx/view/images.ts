import { chartLines } from '../../../charts/chart.ts'
import type { DocumentPackage } from '../parts/document-package.ts'
import { chartOf } from '../story/chart-of.ts'
import type { Story } from '../story/story.ts'

export interface DocumentImage {
  readonly paragraph: string
  readonly kind: string
  readonly alt?: string
  /** What a chart shows. */
  readonly data?: readonly string[]
}

const MOST_POINTS = 12 // of a series in a map

/** Pictures, charts, diagrams and shapes with the paragraph they are in. */
export function imagesOf(own: DocumentPackage, story: Story): readonly DocumentImage[] {
  return story.paragraphs.flatMap(paragraph => {
    if (!hasPicture(paragraph.node)) return []
    return story
      .pieces(paragraph)
      .filter(({ kind, node }) => kind === 'token' && PICTURES.has(node.name))
      .map(({ label, node }) => {
        const [, kind = label, alt] = /^([a-z ]+?)(?: "(.*)")?$/.exec(label) ?? []
        const chart = kind === 'chart' ? chartOf(own, story, node) : undefined
        return {
          paragraph: paragraph.id,
          kind,
          ...(alt !== undefined && { alt }),
          ...(chart && { data: chartLines(chart, MOST_POINTS) }),
        }
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
