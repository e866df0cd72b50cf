import type { LiveNode, LiveTree } from '../../../packages/documents/src/opc/index.ts'
import { elements, type OfficeFile } from '../office-file.ts'

/** A part of a document that holds paragraphs. */
export interface StoryPart {
  /** `document`, `header`, `footnotes`: the root without its prefix. */
  readonly kind: string
  readonly name: string
  readonly tree: LiveTree
  /** Every element but those in the fallback of an alternative, which repeats what the choice says. */
  readonly elements: readonly LiveNode[]
}

const KINDS = ['header', 'footer', 'footnotes', 'endnotes', 'comments']
const known = new WeakMap<OfficeFile, readonly StoryPart[]>()

/** The body first, then what it links to. */
export function storiesOf(file: OfficeFile): readonly StoryPart[] {
  const found = known.get(file) ?? findStories(file)
  known.set(file, found)
  return found
}

function findStories(file: OfficeFile): StoryPart[] {
  const names = [file.main, ...KINDS.flatMap(kind => file.linked(file.main, kind))]
  return [...new Set(names)].flatMap(name => {
    const tree = file.tree(name)
    if (!tree || name === undefined) return []
    const all = [...elements(tree.root)].filter(node => !node.closest('mc:Fallback'))
    return [{ kind: tree.root.name.slice(2), name, tree, elements: all }]
  })
}

export function storiesOfKind(file: OfficeFile, kind: string): readonly StoryPart[] {
  return storiesOf(file).filter(story => story.kind === kind)
}

/** The values of an attribute on elements of these names. */
export function valuesOf(
  story: StoryPart,
  names: ReadonlySet<string>,
  attribute: string,
): string[] {
  return story.elements.flatMap(node =>
    names.has(node.name) ? (story.tree.attribute(node, attribute) ?? []) : [],
  )
}

/** The value of a property: `w:val` of the child of that name. */
export function property(tree: LiveTree, node: LiveNode | undefined, name: string) {
  return tree.attribute(node?.child(name), 'w:val')
}
