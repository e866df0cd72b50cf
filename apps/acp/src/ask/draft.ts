import type { ToolCall } from '@agentclientprotocol/sdk'
import { findRunDraft, showConsequences } from '@filewright/host'
import { counted, type ExecutedFile, type Failure, type Review } from '@filewright/protocol'
import { writeWithBuffers } from '../editor/buffers.ts'
import { type AttachedEditor, say, sendUpdate } from '../editor/editor.ts'
import { toAbsolute } from '../editor/folder.ts'
import type { OpenSession } from '../editor/open-session.ts'
import { changeContents, textContent } from '../show/change-contents.ts'
import { askPermission } from './permission.ts'

const WORDS = {
  allow_once: 'Publish',
  allow_always: 'Publish, and do so for the rest of this session',
  reject_once: 'Leave it in the draft',
  reject_always: 'Leave it, and do not ask again in this session',
}

/** What the draft of this session holds; undefined if there is nothing to decide. */
export async function reviewOf(session: OpenSession): Promise<Review | undefined> {
  const { folder, sessionId } = session
  const draft = await findRunDraft(folder, sessionId)
  if (!draft.ok) throw new Error(draft.failure.message)
  if (!draft.value) return undefined
  const query = { draftId: draft.value.id }
  const review = await folder.connection.call('review', { params: folder.params, query })
  if (!review.ok) throw new Error(review.failure.message)
  return review.value.changes.length > 0 ? review.value : undefined
}

/** At the end of a run: the person sees what is in the draft, and says what happens to it. */
export async function offerDraft(
  editor: AttachedEditor,
  session: OpenSession,
  { signal, isAsked = false }: { readonly signal: AbortSignal; readonly isAsked?: boolean },
): Promise<void> {
  const review = await reviewOf(session)
  if (!review) return
  if (session.draftAnswer === 'leave' && !isAsked) return
  const toolCall = await showReview(editor, session, review)
  const { toolCallId } = toolCall
  const isSaidBefore = session.draftAnswer === 'publish'
  const unasked = isSaidBefore && !isAsked
  const permission = isSaidBefore
    ? 'allow_once'
    : await askPermission(editor, {
        sessionId: session.sessionId,
        toolCall,
        words: WORDS,
        signal,
      })
  if (permission === 'allow_always') session.draftAnswer = 'publish'
  if (permission === 'reject_always') session.draftAnswer = 'leave'
  const isYes = permission === 'allow_once' || permission === 'allow_always'
  if (!isYes) return endReview(editor, session, toolCallId, 'failed', LEFT)
  const { isDone, message } = await publish(editor, session, review, { signal, unasked })
  await endReview(editor, session, toolCallId, isDone ? 'completed' : 'failed', message)
}

const LEFT =
  'Nothing was written: the changes stay in the draft. /publish writes them, /discard drops them.'

/** The draft as a call of its own, so that the editor shows its diffs. */
export async function showReview(
  editor: AttachedEditor,
  { sessionId, folder }: OpenSession,
  { draft, changes, consequences = [], warnings, conflicts = [] }: Review,
): Promise<ToolCall> {
  const toolCallId = `${draft.id}-${draft.revision}`
  const paths = [...new Set(changes.map(({ path }) => path))]
  const said = [
    ...(consequences.length > 0 ? [showConsequences(consequences)] : []),
    ...warnings.map(warning => `Warning: ${warning}`),
    ...conflicts.map(({ message }) => `Conflict: ${message}`),
  ]
  const toolCall: ToolCall = {
    toolCallId,
    title: `Review ${counted(changes.length, 'change')} in ${counted(paths.length, 'file')}`,
    kind: 'edit',
    status: 'pending',
    content: [...(await changeContents(folder, draft.id, changes)), ...said.map(textContent)],
    locations: paths.map(path => ({ path: toAbsolute(folder, path) })),
  }
  await sendUpdate(editor, sessionId, { sessionUpdate: 'tool_call', ...toolCall })
  return toolCall
}

async function endReview(
  editor: AttachedEditor,
  { sessionId }: OpenSession,
  toolCallId: string,
  status: 'completed' | 'failed',
  message: string,
): Promise<void> {
  await sendUpdate(editor, sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status })
  await say(editor, sessionId, message)
}

interface PublishEnd {
  readonly isDone: boolean
  readonly message: string
}

interface PublishAnswer extends PublishEnd {
  readonly executed: readonly ExecutedFile[]
}

/** Writes what was reviewed. A file that other programs execute is asked about by its name. */
async function publish(
  editor: AttachedEditor,
  session: OpenSession,
  { draft, changes }: Review,
  { signal, unasked }: { readonly signal: AbortSignal; readonly unasked: boolean },
): Promise<PublishEnd> {
  const how = unasked ? ({ unasked } as const) : {}
  const reviewed = { draftId: draft.id, revision: draft.revision, ...how }
  const paths = new Set(changes.map(({ path }) => path))
  const end: { answer?: PublishAnswer } = {}
  const told = await writeWithBuffers(editor, session, paths, async () => {
    end.answer = await publishOnly(editor, session, reviewed)
    return end.answer.isDone
  })
  const written = end.answer
  if (!written) throw new Error('Publishing was not begun')
  const messages = [written.message, ...told]
  for (const file of written.executed) {
    if (!(await mayWrite(editor, session, file, signal))) continue
    const only = [...file.changeIds]
    messages.push((await publishOnly(editor, session, { draftId: draft.id, only })).message)
  }
  return { isDone: written.isDone, message: messages.join('\n') }
}

async function publishOnly(
  { config }: AttachedEditor,
  { folder }: OpenSession,
  body: {
    readonly draftId: string
    readonly revision?: number
    readonly only?: string[]
    readonly unasked?: true
  },
): Promise<PublishAnswer> {
  const published = await folder.connection.call('publish', {
    params: folder.params,
    body: { ...body, by: config.userName },
  })
  if (!published.ok) {
    const { message } = published.failure
    return { isDone: false, message, executed: executedIn(published.failure) }
  }
  const { message, warnings, executed = [] } = published.value
  return { isDone: true, message: [message, ...warnings].join('\n'), executed }
}

function executedIn({ details }: Failure): readonly ExecutedFile[] {
  return (details?.executed as readonly ExecutedFile[] | undefined) ?? []
}

async function mayWrite(
  editor: AttachedEditor,
  { sessionId, folder }: OpenSession,
  { path, why, changeIds }: ExecutedFile,
  signal: AbortSignal,
): Promise<boolean> {
  const permission = await askPermission(editor, {
    sessionId,
    toolCall: {
      toolCallId: `named-${changeIds[0] ?? path}`,
      title: `Write ${path}`,
      kind: 'edit',
      status: 'pending',
      content: [textContent(why)],
      locations: [{ path: toAbsolute(folder, path) }],
    },
    words: { allow_once: `Write ${path}`, reject_once: 'Leave it in the draft' },
    signal,
  })
  return permission === 'allow_once'
}
