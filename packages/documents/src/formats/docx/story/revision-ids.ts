import type { LiveNode, LiveTree } from '../../../opc/index.ts'

interface RevisedStory {
  readonly tree: LiveTree
  readonly root: LiveNode
}

/** Elements whose ids are those of tracked changes. */
const REVISIONS: ReadonlySet<string> = new Set(
  `ins del moveFrom moveTo moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd rPrChange pPrChange
  sectPrChange tblPrChange tblPrExChange trPrChange tcPrChange tblGridChange numberingChange cellIns cellDel cellMerge
  bookmarkStart bookmarkEnd`
    .split(/\s+/)
    .map(name => `w:${name}`),
)

const HIGHEST = 2_000_000_000 // ids are 32 bits

/** Ids of tracked changes and bookmarks, over all parts. */
export function highestId(stories: readonly RevisedStory[]): number {
  let highest = 0
  for (const { tree, root } of stories)
    for (const node of revisionMarks(root)) {
      const id = Number(tree.attribute(node, 'w:id'))
      if (Number.isInteger(id) && id > highest && id < HIGHEST) highest = id
    }
  return highest
}

/** Every element of a tracked change, in document order. */
export function* revisionMarks(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    if (REVISIONS.has(child.name)) yield child
    if (child.children.length > 0) yield* revisionMarks(child)
  }
}

/** The highest id of the children of a part, such as notes or comments; -1 without any. */
export function highestOf(tree: LiveTree, root: LiveNode): number {
  let highest = -1
  for (const node of root.children) {
    const id = Number(tree.attribute(node, 'w:id'))
    if (Number.isInteger(id) && id > highest && id < HIGHEST) highest = id
  }
  return highest
}
