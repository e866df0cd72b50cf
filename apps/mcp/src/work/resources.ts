import { fail, ok, parseDocPath, type Result } from '@filewright/protocol'
import type { Agent } from '../agent/agent.ts'
import { findDraft } from './find-draft.ts'
import { summaryOf, toReviewText } from './review-text.ts'

/** Files and drafts under addresses that a host can show and attach. */
const FILES = 'filewright://files/'
const DRAFTS = 'filewright://drafts/'
const PAGE = 200

export const RESOURCE_TEMPLATES = [
  {
    name: 'file',
    title: 'A file of the folder',
    description: 'A file as the agent reads it, the changes of the standing draft included',
    uriTemplate: `${FILES}{+path}`,
  },
  {
    name: 'draft',
    title: 'A draft',
    description: 'The changes of a draft, as a person reviews them',
    uriTemplate: `${DRAFTS}{id}`,
  },
] as const

interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly size?: number
}

export interface ResourcePage {
  readonly resources: readonly ListedResource[]
  readonly nextCursor?: string
}

/** Open drafts first, then the files, a page at a time. */
export async function listResources(
  { connection, params }: Agent,
  cursor: string | undefined,
): Promise<Result<ResourcePage>> {
  const page = await connection.call('listFiles', {
    params,
    query: { limit: PAGE, ...(cursor !== undefined && { after: cursor }) },
  })
  if (!page.ok) return page
  const drafts =
    cursor === undefined
      ? await connection.call('listDrafts', { params, query: { state: 'open' } })
      : ok([])
  if (!drafts.ok) return drafts
  const files = page.value.files.map(({ path, sizeBytes }) => ({
    uri: FILES + path.split('/').map(encodeURIComponent).join('/'),
    name: path,
    size: sizeBytes,
  }))
  const open = drafts.value.map(draft => ({
    uri: DRAFTS + draft.id,
    name: `draft ${draft.id}`,
    description: summaryOf(draft),
  }))
  const { next } = page.value
  return ok({ resources: [...open, ...files], ...(next && { nextCursor: next }) })
}

/** The text of one; a failure where there is none. */
export async function readResource(agent: Agent, uri: string): Promise<Result<string>> {
  if (uri.startsWith(DRAFTS)) return readDraft(agent, uri.slice(DRAFTS.length))
  const path = uri.startsWith(FILES) ? decode(uri.slice(FILES.length)) : undefined
  const parsed = path === undefined ? undefined : parseDocPath(path)
  if (!parsed?.ok)
    return fail(
      'NOT_FOUND',
      `There is nothing at ${uri}. Files are at ${FILES}PATH, drafts at ${DRAFTS}ID.`,
    )
  const { connection, params } = agent
  const read = await connection.call('callAsModel', {
    params: { ...params, sessionId: await agent.session() },
    body: { tool: 'read_file', arguments: { path } },
  })
  if (!read.ok) return read
  if ('pending' in read.value) return ok(read.value.message)
  return read.value.success ? ok(read.value.text) : fail('NOT_FOUND', read.value.text)
}

async function readDraft(agent: Agent, id: string): Promise<Result<string>> {
  const draft = await findDraft(agent, id)
  if (!draft.ok) return draft
  const { connection, params } = agent
  const review = await connection.call('review', { params, query: { draftId: draft.value.id } })
  return review.ok ? ok(toReviewText(review.value, 0)) : review
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
