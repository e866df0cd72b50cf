import type { Review } from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { reviewOf } from '../work/find-draft.ts'
import { toFailed, toResult } from '../work/to-result.ts'
import type { FrameCall } from './frame-call.ts'

const PAGE_CHANGES = 200
const PAGE_BYTES = 44 * 1024 // below the bound of one result, with what stands around the changes

interface Wanted {
  readonly draft_id?: string
  readonly after?: number
}

/** A page of the review as data; what stands around the changes is on the first one. */
export async function showPage(
  { agent, challenges }: FrameCall,
  { draft_id, after = 0 }: Wanted,
): Promise<CallToolResult> {
  const found = await agent.turns.read(() => reviewOf(agent, draft_id))
  if (!found.ok) return toFailed(found.failure)
  const { draft, changes } = found.value
  if (draft.state !== 'open')
    return toResult(`The draft ${draft.id} is ${draft.state}.`, { isError: true })
  const page = pageOf(found.value, after)
  const next = after + page.changes.length
  const challenge = challenges.mint({ draftId: draft.id, revision: draft.revision })
  return toResult(
    JSON.stringify({ review: page, challenge, ...(next < changes.length && { next }) }),
  )
}

function pageOf(review: Review, after: number): Review {
  const around = after === 0 ? bounded(review) : withoutMore(review)
  for (let count = PAGE_CHANGES; ; count = Math.floor(count / 2)) {
    const changes = review.changes.slice(after, after + Math.max(1, count))
    for (const diffs of after === 0 ? [review.diffs, []] : [[]]) {
      const page = { ...around, changes, diffs }
      const isLeast = count <= 1 && diffs.length === 0
      if (isLeast || Buffer.byteLength(JSON.stringify(page)) <= PAGE_BYTES) return page
    }
  }
}

const MOST_TOLD = 50
const MOST_FILES = 100

/** What stands around the changes, of which a large draft has more than a page holds. */
function bounded(review: Review): Review {
  const { draft, consequences = [], warnings, conflicts = [], executed = [] } = review
  const computed =
    consequences.length > MOST_TOLD
      ? [`${consequences.length} cells are computed anew; the first ${MOST_TOLD} are shown.`]
      : []
  return {
    ...review,
    draft: { ...draft, files: draft.files.slice(0, MOST_FILES) },
    consequences: consequences.slice(0, MOST_TOLD),
    conflicts: conflicts.slice(0, MOST_TOLD),
    executed: executed.slice(0, MOST_TOLD),
    warnings: [...warnings.slice(0, MOST_TOLD), ...computed],
  }
}

function withoutMore({ draft, changes, diffs }: Review): Review {
  return { draft: { ...draft, files: [] }, changes, diffs, warnings: [] }
}
