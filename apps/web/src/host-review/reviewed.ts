import type { Change, Review } from '@filewright/protocol'
import { hmacSha256 } from './hmac.ts'
import type { HostFrame, ToolAnswer } from './host.ts'

/** A draft to be decided on, and the challenge that a decision answers. */
export interface Reviewed {
  readonly review: Review
  readonly challenge: string
}

interface Page {
  readonly review: Review
  readonly challenge: string
  /** Changes to skip for the next page; absent on the last. */
  readonly next?: number
}

/** Every page of the review: nobody says yes to what was not there to be seen. */
export async function load(host: HostFrame, draftId: string | undefined): Promise<Reviewed> {
  let page = await loadPage(host, draftId, 0)
  const { review } = page
  const changes: Change[] = [...review.changes]
  while (page.next !== undefined) {
    page = await loadPage(host, review.draft.id, page.next)
    if (page.review.draft.revision !== review.draft.revision) return load(host, draftId)
    changes.push(...page.review.changes)
  }
  return { review: { ...review, changes }, challenge: page.challenge }
}

async function loadPage(
  host: HostFrame,
  draftId: string | undefined,
  after: number,
): Promise<Page> {
  const answer = await host.callTool('review_for_person', {
    ...(draftId !== undefined && { draft_id: draftId }),
    after,
  })
  if (answer.isError) throw new Error(textOf(answer))
  return (answer.structuredContent ?? JSON.parse(textOf(answer))) as Page
}

export interface FrameDecision {
  readonly only?: readonly string[]
  readonly refused?: readonly string[]
  readonly comments?: readonly string[]
}

/** Sends what a person clicked, with the proof that it comes from this frame; what the server says to it. */
export async function decideOn(
  host: HostFrame,
  { review: { draft }, challenge }: Reviewed,
  { only, refused = [], comments = [] }: FrameDecision,
): Promise<string> {
  const decided = JSON.stringify([challenge, draft.id, only ?? null, refused, comments])
  const answer = await host.callTool('decide_review', {
    draft_id: draft.id,
    challenge,
    ...(only && { only }),
    refused,
    comments,
    proof: hmacSha256(keyOfFrame(), decided),
  })
  if (answer.isError) throw new Error(textOf(answer))
  return textOf(answer)
}

/** The server wrote it into this page, which the host's model does not read. */
function keyOfFrame(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="filewright-key"]')?.content ?? ''
}

function textOf({ content }: ToolAnswer): string {
  return content?.find(({ type }) => type === 'text')?.text ?? 'The server said nothing.'
}
