import type { ToolCallContent } from '@agentclientprotocol/sdk'
import { showChanges } from '@filewright/host'
import type { Change, Effect } from '@filewright/protocol'
import { readText, readVersion } from '../editor/file-text.ts'
import { type SessionFolder, toAbsolute } from '../editor/folder.ts'

const SHOWN_CHARS = 16_000
const SHOWN_FILES = 20

interface DraftedFile {
  readonly path: string
  /** Its former path. */
  readonly from?: string
  readonly isDeleted?: boolean
}

/** Changes of a draft: a diff for each text file, and lines that a person can read for any other. */
export async function changeContents(
  folder: SessionFolder,
  draftId: string,
  changes: readonly Change[],
): Promise<ToolCallContent[]> {
  const paths = [...new Set(changes.map(({ path }) => path))]
  const contents = await Promise.all(
    paths.slice(0, SHOWN_FILES).map(async path => {
      const own = changes.filter(change => change.path === path)
      return (
        (await draftDiff(folder, draftId, { path })) ??
        textContent(showChanges(own, [], { hasIds: false }))
      )
    }),
  )
  const more = paths.length - SHOWN_FILES
  return more > 0 ? [...contents, textContent(`and ${more} more files`)] : contents
}

/** What one call did, file by file. */
export async function effectContents(
  folder: SessionFolder,
  toolCallId: string,
  effects: readonly Effect[],
): Promise<ToolCallContent[]> {
  const contents = await Promise.all(
    effects.slice(0, SHOWN_FILES).map(effect => effectContent(folder, toolCallId, effect)),
  )
  return contents.filter(content => content !== undefined)
}

async function effectContent(
  folder: SessionFolder,
  toolCallId: string,
  { path, from, action, where, draftId, before, after }: Effect,
): Promise<ToolCallContent | undefined> {
  if (where === 'workspace') {
    if (before === undefined || after === undefined) return undefined
    const [oldText, newText] = await Promise.all([
      before === null ? null : readVersion(folder, before),
      after === null ? '' : readVersion(folder, after),
    ])
    return toDiff(folder, path, oldText, newText)
  }
  if (draftId === undefined) return undefined
  const isDeleted = action === 'deleted'
  const diff = await draftDiff(folder, draftId, { path, from, isDeleted })
  return diff ?? (await reviewedContent(folder, { draftId, toolCallId, path }))
}

async function draftDiff(
  folder: SessionFolder,
  draftId: string,
  { path, from, isDeleted = false }: DraftedFile,
): Promise<ToolCallContent | undefined> {
  const [oldText, drafted] = await Promise.all([
    readText(folder, from ?? path),
    isDeleted ? '' : readText(folder, path, draftId),
  ])
  return toDiff(folder, path, oldText, drafted ?? (drafted === null ? '' : undefined))
}

function toDiff(
  folder: SessionFolder,
  path: string,
  oldText: string | null | undefined,
  newText: string | null | undefined,
): ToolCallContent | undefined {
  if (oldText === undefined || typeof newText !== 'string' || oldText === newText) return undefined
  return { type: 'diff', path: toAbsolute(folder, path), oldText, newText }
}

/** What a review says about a file that is no text. */
async function reviewedContent(
  { connection, params }: SessionFolder,
  asked: { readonly draftId: string; readonly toolCallId: string; readonly path: string },
): Promise<ToolCallContent | undefined> {
  const { draftId, toolCallId, path } = asked
  const review = await connection.call('review', { params, query: { draftId } })
  if (!review.ok) return undefined
  const own = review.value.changes.filter(
    change => change.path === path && change.operation.toolCallId === toolCallId,
  )
  return own.length > 0 ? textContent(showChanges(own, [], { hasIds: false })) : undefined
}

export function textContent(text: string): ToolCallContent {
  const shown = text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}\n… (cut)`
  return { type: 'content', content: { type: 'text', text: shown } }
}
