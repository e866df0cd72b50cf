import type { LiveNode } from '../../../opc/index.ts'
import type { Manuscript } from './manuscript.ts'

/** Pages that are set up alike: up to the paragraph that holds the properties, or to the end of the body. */
export interface PageSection {
  /** From 1. */
  readonly number: number
  /** The last paragraph, or `end`. */
  readonly id: string
  /** Absent where the body does not say how its pages look. */
  readonly properties: LiveNode | undefined
}

/** In document order; at least one. */
export function pageSectionsOf({ body }: Manuscript): readonly PageSection[] {
  const found: PageSection[] = []
  for (const { node, id } of body.paragraphs) {
    const properties = node.child('w:pPr')?.child('w:sectPr')
    if (properties) found.push({ number: found.length + 1, id, properties })
  }
  const last = body.root.children.findLast(({ name }) => name === 'w:sectPr')
  return [...found, { number: found.length + 1, id: 'end', properties: last }]
}

export type MarginKind = 'header' | 'footer'
export type MarginPages = 'default' | 'first' | 'even'

/** The reference of a section to a header or footer of its own. */
export function marginReference(
  { body }: Manuscript,
  { properties }: PageSection,
  kind: MarginKind,
  pages: MarginPages,
): LiveNode | undefined {
  return properties?.children.find(
    node =>
      node.name === `w:${kind}Reference` &&
      (body.tree.attribute(node, 'w:type') ?? 'default') === pages,
  )
}
