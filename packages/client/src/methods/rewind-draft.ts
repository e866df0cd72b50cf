import {
  type ChangeId,
  type DocPath,
  type DraftLine,
  fail,
  ok,
  type Result,
  type SessionId,
  type ToolCallId,
  type WithdrawnChanges,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { type Desk, forgetDrafted } from '../draft/draft-view.ts'
import { pathsOf } from '../draft/rewound-lines.ts'
import { canWithdraw } from '../publish/follow-undo.ts'
import type { Publisher } from '../publish/publisher.ts'
import { reviewAll } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'

export interface RewindPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly publisher: Pick<Publisher, 'discard'>
  readonly now: () => Date
}

export interface RewindRequest {
  readonly sessionId: string
  readonly toolCallIds: readonly string[]
  readonly by: string
}

/**
 * The unpublished changes of these calls leave the session's drafts, as if the calls had never been made; a draft without
 * any change left is closed. What is published stays.
 */
export async function rewindDrafts(
  { desk, drafts, publisher, now }: RewindPorts,
  { sessionId, toolCallIds, by }: RewindRequest,
): Promise<Result<{ readonly withdrawn: readonly string[] }>> {
  const withdrawn: string[] = []
  const calls = new Set(toolCallIds)
  for (const draft of drafts.open().filter(each => isOf(each, sessionId as SessionId))) {
    const paths = pathsOf(await drafts.lines(draft.id), calls)
    let left = draft
    if (paths.size > 0) {
      const settled = await settlePublished(desk, draft, calls)
      if (!settled.ok) return settled
      const about = { toolCallIds: toolCallIds as readonly ToolCallId[], by }
      const time = now().toISOString()
      forgetDrafted(desk, draft)
      left = await drafts.append(draft.id, [{ type: 'rewind', ...about, ...settled.value, time }])
      withdrawn.push(...paths)
    }
    if (left.files.size === 0 && left.parts.length === 0) await publisher.discard(left, { by })
  }
  return ok({ withdrawn })
}

function isOf({ sessionId, open }: Draft, wanted: SessionId): boolean {
  return sessionId === wanted && open.purpose === 'workshop'
}

type Settled = Pick<Extract<DraftLine, { type: 'rewind' }>, 'partly' | 'withdrawn' | 'settled'>

/** A file with published changes keeps its operations: they are replayed with the published ones in them. */
async function settlePublished(
  desk: Desk,
  draft: Draft,
  calls: ReadonlySet<string>,
): Promise<Result<Settled>> {
  const partly: DocPath[] = []
  const withdrawn: WithdrawnChanges[] = []
  const settled: DocPath[] = []
  if (draft.published.size === 0) return ok({ partly, withdrawn, settled })
  const reviewed = await reviewAll(desk, draft)
  if (!reviewed.ok) return reviewed
  const hasCopies = reviewed.value.some(({ file }) => file.takes !== undefined)
  for (const each of reviewed.value.filter(({ changes }) => changes.some(isIn(draft.published)))) {
    const { file, changes } = each
    const gone = goneFrom(each, draft, calls)
    if (gone.some(change => !canWithdraw(file, change))) return stuckIn(file.path)
    partly.push(file.docPath)
    const changeIds = gone.map(({ id }) => id)
    if (gone.length > 0) withdrawn.push({ docPath: file.docPath, changeIds })
    const isPlain = !file.origin && !file.under && !hasCopies
    const decided = new Set([...draft.published, ...changeIds])
    if (isPlain && changes.every(isIn(decided))) settled.push(file.docPath)
  }
  return ok({ partly, withdrawn, settled })
}

function goneFrom({ changes }: ReviewedFile, { published }: Draft, calls: ReadonlySet<string>) {
  return changes.filter(
    ({ id, operation }) => calls.has(operation.toolCallId) && !published.has(id),
  )
}

function isIn(ids: ReadonlySet<ChangeId>): (change: { readonly id: ChangeId }) => boolean {
  return ({ id }) => ids.has(id)
}

function stuckIn(path: string): Result<never> {
  return fail(
    'CONFLICT',
    `Nothing was changed: a part of the changes of "${path}" is published, and the rest creates, moves or deletes the file as a whole. Publish or discard the draft first.`,
  )
}
