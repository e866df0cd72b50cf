import type { Manuscript } from '../story/manuscript.ts'
import type { Paragraph } from '../story/story.ts'

/** The style of a paragraph and the properties set on it directly, in words. */
export function describeLook({ styles }: Manuscript, { story, node }: Paragraph): string {
  const { tree } = story
  const id = story.styleIdOf(node)
  const style =
    (id === undefined ? styles.defaultParagraph : styles.byId.get(id))?.name ?? id ?? 'Normal'
  const direct = (node.child('w:pPr')?.children ?? [])
    .filter(
      ({ name }) => name !== '' && name !== 'w:pStyle' && name !== 'w:rPr' && name !== 'w:sectPr',
    )
    .map(({ name }) => name.slice(2))
  const runs = new Set<string>()
  for (const own of node.all('w:rPr'))
    if (own.parent?.name === 'w:r')
      for (const child of own.children) {
        const value = tree.attribute(child, 'w:val')
        if (child.name !== '')
          runs.add(`${child.name.slice(2)}${value === undefined ? '' : ` ${value}`}`)
      }
  const parts = [style, ...direct, ...[...runs].slice(0, 20)]
  return parts.join(', ')
}
