import type { ChangeSetId, DraftDeed } from '@filewright/protocol'
import type { Checkpoint } from '../apply/checkpoints.ts'
import { type Draft, isAtIssue } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { draftIdsOf } from './change-set-id.ts'

interface Timed {
  readonly deed: DraftDeed
  /** Milliseconds since 1970. */
  readonly time: number
}

type Written = ReadonlyMap<ChangeSetId, Checkpoint>

/** What people did with drafts lately, oldest first: as the drafts' logs and the checkpoints have it. */
export async function listDraftDeeds(
  drafts: DraftStore,
  checkpoints: readonly Checkpoint[],
  limit: number,
): Promise<readonly DraftDeed[]> {
  const all = await drafts.list()
  const written: Written = new Map(checkpoints.map(each => [each.changeSetId, each]))
  const found: Timed[] = []
  for (const draft of all.filter(isWorkshop).slice(-limit))
    found.push(...partsOf(draft, written), ...(await endOf(drafts, draft, written)))
  for (const checkpoint of checkpoints.slice(0, limit))
    found.push(...takenBackBy(checkpoint, written, all))
  const inOrder = found.sort((a, b) => a.time - b.time)
  return inOrder.slice(-limit).map(({ deed }) => deed)
}

/** A draft of one call is reported as the result of that call. */
function isWorkshop({ open }: Draft): boolean {
  return open.purpose === 'workshop'
}

function partsOf(draft: Draft, written: Written): Timed[] {
  return draft.parts.map(({ changeSetId, undecided, withdrawn = [], time }) => {
    const refused = withdrawn.flatMap(({ changeIds }) => changeIds).length
    const deed = { ...published(draft, changeSetId, written), refused, undecided }
    return { deed, time: Date.parse(time) }
  })
}

async function endOf(drafts: DraftStore, draft: Draft, written: Written): Promise<Timed[]> {
  const { id: draftId, sessionId, close, files } = draft
  if (!close) return []
  const time = Date.parse(close.time)
  if (close.how === 'discarded') {
    const paths = [...files.values()].filter(isAtIssue).map(({ path }) => ({ path }))
    return [{ deed: { action: 'discarded', draftId, sessionId, files: paths }, time }]
  }
  const lines = await drafts.lines(draftId)
  const refused = lines.findLast(line => line.type === 'refuse')?.changeIds.length ?? 0
  return [{ deed: { ...published(draft, close.changeSetId!, written), refused }, time }]
}

function published(draft: Draft, changeSetId: ChangeSetId, written: Written): DraftDeed {
  const files = (written.get(changeSetId)?.files ?? []).map(({ path }) => ({ path }))
  return { action: 'published', draftId: draft.id, sessionId: draft.sessionId, changeSetId, files }
}

/** An undo takes back what a draft wrote, a redo takes back an undo. */
function takenBackBy(own: Checkpoint, written: Written, all: readonly Draft[]): Timed[] {
  let first = own
  let depth = 0
  while (first.undoes !== undefined && depth <= written.size) {
    const before = written.get(first.undoes)
    if (!before) return []
    first = before
    depth++
  }
  const ids: readonly string[] = draftIdsOf(first.changeSetId)
  const draft = depth === 0 ? undefined : all.find(({ id }) => ids.includes(id))
  if (!draft) return []
  const action = depth % 2 === 1 ? 'undone' : 'redone'
  const { changeSetId, time } = own
  const files = own.files.map(({ path }) => ({ path }))
  return [
    { deed: { action, draftId: draft.id, sessionId: draft.sessionId, changeSetId, files }, time },
  ]
}
