import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import { runsOf } from '../../edit/format-text.ts'
import { removeProperty } from '../../edit/properties.ts'
import { editText, textXml } from '../../edit/text-edit.ts'
import { deleteRun, trackText } from '../../edit/tracked-text.ts'
import type { Tracking } from '../../edit/tracking.ts'
import type { ParagraphSpot } from '../../story/index-story.ts'
import { mergeFieldOf } from '../../story/placeholders.ts'
import type { Story } from '../../story/story.ts'
import { spansIn, textMapOf } from '../../story/text-map.ts'

/** Characters [start, end) of a paragraph become the value. */
export interface TextFill {
  readonly start: number
  readonly end: number
  readonly value: string
}

/** Fills placeholders of a paragraph, last one first. The value looks like the placeholder, without its highlighting. */
export function fillText(
  story: Story,
  spot: ParagraphSpot,
  fills: readonly TextFill[],
  tracking: Tracking | undefined,
): void {
  for (const { start, end, value } of [...fills].sort((a, b) => b.start - a.start)) {
    const [span] = spansIn(textMapOf(story.pieces(spot)), start, end)
    const field = mergeFieldOf(span?.piece.border)
    if (field && span?.piece.run)
      fillMergeField(story.tree, field.node, span.piece.run, value, tracking)
    else if (tracking) trackText(story, spot, [{ start, end, text: value }], tracking)
    else editText(story, spot, [{ start, end, text: value }])
    if (value === '') continue
    const range = { start, end: start + value.length }
    const isMarked = spansIn(textMapOf(story.pieces(spot)), range.start, range.end).some(
      ({ piece }) => piece.run?.child('w:rPr')?.child('w:highlight'),
    )
    if (isMarked) for (const run of runsOf(story, spot, range)) dropHighlight(story.tree, run)
  }
}

function dropHighlight(tree: LiveTree, run: LiveNode): void {
  const look = run.child('w:rPr')
  removeProperty(tree, look, 'w:highlight')
  if (look?.children.length === 0) tree.remove(look)
}

/** The field goes, as in a merge: its value is plain text. */
function fillMergeField(
  tree: LiveTree,
  field: LiveNode,
  shown: LiveNode,
  value: string,
  tracking: Tracking | undefined,
): void {
  const look = shown.child('w:rPr')
  const [run] = tree.fragment(`<w:r>${textXml(value)}</w:r>`)
  if (look) tree.insert(run!, 0, [tree.clone(look)])
  const old = field.name === 'w:fldSimple' ? [field] : fieldRuns(tree, field)
  const added = tracking ? tree.fragment(`<w:ins ${tracking.attributes()}/>`) : [run!]
  if (tracking) tree.append(added[0]!, [run!])
  if (value !== '') tree.after(old.at(-1)!, added)
  for (const own of old) {
    if (tracking && own.name === 'w:r') deleteRun(tree, own, tracking)
    else if (tracking) for (const inner of [...own.all('w:r')]) deleteRun(tree, inner, tracking)
    else tree.remove(own)
  }
}

/** From the run with the beginning to the run with the end. */
function fieldRuns(tree: LiveTree, begin: LiveNode): readonly LiveNode[] {
  const first = begin.parent!
  const siblings = first.parent!.children
  const runs: LiveNode[] = []
  let open = 0
  for (const node of siblings.slice(first.index)) {
    if (node.name === 'w:r') runs.push(node)
    for (const mark of node.all('w:fldChar')) {
      const type = tree.attribute(mark, 'w:fldCharType')
      if (type === 'begin') open++
      if (type === 'end') open--
    }
    if (open <= 0) break
  }
  return runs
}

/** Why a merge field cannot be filled; undefined if it can. */
export function findFieldProblem(tree: LiveTree, field: LiveNode): string | undefined {
  if (field.name === 'w:fldSimple') return undefined
  const ends = fieldRuns(tree, field)
    .at(-1)!
    .children.some(
      node => node.name === 'w:fldChar' && tree.attribute(node, 'w:fldCharType') === 'end',
    )
  return ends ? undefined : 'the MERGEFIELD ends in another place'
}
