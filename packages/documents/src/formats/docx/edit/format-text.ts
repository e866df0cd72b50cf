import type { LiveNode } from '../../../opc/index.ts'
import type { ParagraphSpot } from '../story/index-story.ts'
import type { Border, TextPiece } from '../story/pieces.ts'
import type { Story } from '../story/story.ts'
import { spansIn, textMapOf } from '../story/text-map.ts'
import { endOfField, splitRun } from './text-edit.ts'

/** Characters [start, end) of a paragraph. */
export interface CharacterRange {
  readonly start: number
  readonly end: number
}

/** The runs that hold exactly these characters: runs at the ends are split first. */
export function runsOf(
  story: Story,
  spot: ParagraphSpot,
  range: CharacterRange,
): readonly LiveNode[] {
  const { start, end } = range
  splitAt(story, spot, end)
  splitAt(story, spot, start)
  const map = textMapOf(story.pieces(spot))
  const runs = new Set<LiveNode>()
  for (const { piece } of spansIn(map, start, end)) if (piece.run) runs.add(piece.run)
  return [...runs]
}

/**
 * What begins and ends the characters: runs, or a whole field where it ends there, so that nothing is put into what
 * Word computes. Undefined without any.
 */
export function endsOf(
  story: Story,
  spot: ParagraphSpot,
  range: CharacterRange,
): { readonly first: LiveNode; readonly last: LiveNode } | undefined {
  runsOf(story, spot, range)
  const spans = spansIn(textMapOf(story.pieces(spot)), range.start, range.end)
  const [from] = spans
  const to = spans.at(-1)
  if (!from || !to) return undefined
  return {
    first: endOf(story, spot, from.piece, 'begin'),
    last: endOf(story, spot, to.piece, 'end'),
  }
}

function endOf(
  { tree }: Story,
  { node: paragraph }: ParagraphSpot,
  { run, node, border }: TextPiece,
  side: 'begin' | 'end',
): LiveNode {
  let field: Border | undefined
  for (let at = border; at; at = at.outer) if (at.kind === 'field') field = at
  if (!field) return run ?? node
  if (field.node.name !== 'w:fldChar') return field.node
  const mark = side === 'begin' ? field.node : endOfField(tree, paragraph, field.node)
  return mark.closest('w:r') ?? mark
}

/** Makes sure that a run starts at the character; nothing to do at the ends of the text. */
export function splitAt(story: Story, spot: ParagraphSpot, at: number): void {
  const map = textMapOf(story.pieces(spot))
  const span = map.spans.find(own => own.start <= at && at < own.end)
  const run = span?.piece.run
  if (!span || !run) return
  const isFirst =
    at === span.start &&
    run.children.find(({ name }) => name !== 'w:rPr' && name !== '') === span.piece.node
  if (isFirst) return
  const made = splitRun(story.tree, run, span.piece.node, at - span.start)
  // a tracked change of the look is now two
  const change = made.child('w:rPr')?.child('w:rPrChange')
  if (change) story.tree.setAttribute(change, 'w:id', String(story.freeRevisionId()))
}
