import type { LiveNode } from '../../../../opc/index.ts'
import type { Story } from '../../story/story.ts'
import type { Revision } from '../../view/revisions.ts'

const KINDS = ['w:moveFrom', 'w:moveTo'] as const

/** The moves that each tracked change of the stories is a side of, by their names. */
export function movesIn(stories: readonly Story[]): ReadonlyMap<LiveNode, ReadonlySet<string>> {
  const moves = new Map<LiveNode, Set<string>>()
  for (const story of stories) for (const kind of KINDS) collect(story, kind, moves)
  return moves
}

/** With what else belongs to the same moves: one side without the other is a copy or a loss. */
export function withWholeMoves(
  chosen: readonly Revision[],
  all: readonly Revision[],
  moves: ReadonlyMap<LiveNode, ReadonlySet<string>>,
): readonly Revision[] {
  const namesOf = ({ node }: Revision) => [...(moves.get(node) ?? [])]
  const names = new Set(chosen.flatMap(namesOf))
  if (names.size === 0) return chosen
  const own = new Set(chosen.map(({ node }) => node))
  return all.filter(one => own.has(one.node) || namesOf(one).some(name => names.has(name)))
}

function collect(
  { root, tree }: Story,
  kind: (typeof KINDS)[number],
  moves: Map<LiveNode, Set<string>>,
): void {
  const open = new Map<string, string>()
  /** Marks stand in front of the text of their paragraph, and of a range that begins in it. */
  const marks = new Map<LiveNode, Set<string>>()
  for (const node of root.inOrder()) {
    const id = () => tree.attribute(node, 'w:id') ?? ''
    if (node.name === `${kind}RangeStart`) {
      const name = tree.attribute(node, 'w:name') ?? ''
      open.set(id(), name)
      const paragraph = node.closest('w:p')
      if (paragraph) marks.get(paragraph)?.add(name)
    } else if (node.name === `${kind}RangeEnd`) open.delete(id())
    else if (node.name === kind) {
      const names = new Set(open.values())
      moves.set(node, names)
      const paragraph = node.parent?.name === 'w:rPr' ? node.closest('w:p') : null
      if (paragraph) marks.set(paragraph, names)
    }
  }
}
