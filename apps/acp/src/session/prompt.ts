import type { ContentBlock, StopReason } from '@agentclientprotocol/sdk'
import { lastCursor, type RunEnd, watchRun } from '@filewright/host'
import { fail, type Result, type SentMessage, type SessionEvent } from '@filewright/protocol'
import { settleApprovals } from '../ask/approvals.ts'
import { offerDraft } from '../ask/draft.ts'
import { settleFolder } from '../ask/folder.ts'
import { answerQuestion, openQuestions, settleQuestions } from '../ask/questions.ts'
import { lookAtBuffers } from '../editor/buffers.ts'
import { type AttachedEditor, sendNotice, sendUpdate } from '../editor/editor.ts'
import { type OpenSession, toolsetOf } from '../editor/open-session.ts'
import { createProjection } from '../show/projection.ts'
import { runCommand } from './commands.ts'
import { type PromptText, readPrompt } from './prompt-text.ts'
import { type PutPicture, putPictures } from './put-pictures.ts'
import { unwrap } from './refused.ts'

const TITLE_CHARS = 60

const ANSWER_IS_TEXT = fail(
  'INVALID_ARGUMENT',
  'The message was not sent: it answers a question of the model, and an answer is text. Send it without the picture.',
)

/** One message of the person: a run of ours, with everything that it has to ask. */
export async function prompt(
  editor: AttachedEditor,
  session: OpenSession,
  blocks: readonly ContentBlock[],
): Promise<StopReason> {
  const turn = new AbortController()
  session.turn?.abort()
  session.turn = turn
  try {
    const given = readPrompt(session.folder, blocks)
    if (await runCommand(editor, session, { text: given.text, signal: turn.signal }))
      return turn.signal.aborted ? 'cancelled' : 'end_turn'
    return await runPrompt(editor, session, given, turn.signal)
  } finally {
    turn.abort()
    if (session.turn === turn) delete session.turn
  }
}

/** Ends what is under way: the run ends in order, and its prompt says so. */
export async function cancelPrompt({ folder, sessionId, turn }: OpenSession): Promise<void> {
  turn?.abort()
  await folder.connection.call('cancel', { params: { ...folder.params, sessionId }, body: {} })
}

async function runPrompt(
  editor: AttachedEditor,
  session: OpenSession,
  given: PromptText,
  signal: AbortSignal,
): Promise<StopReason> {
  const { folder, sessionId } = session
  const stop = new AbortController()
  const shown = showEvents(editor, session)
  const after = unwrap(await lastCursor(folder, sessionId))
  const ends = watchRun(
    folder,
    sessionId,
    after,
    { onEvent: event => shown.take(event) },
    { signal: stop.signal, settings: { model: session.model, approve: 'ask' } },
  )
  try {
    const first = ends.next()
    const ended = await begin(editor, session, given, signal)
    if (ended) return ended
    for (let next = await first; !next.done; next = await ends.next()) {
      await shown.done()
      if (next.value.reason === 'waiting') {
        const settled = await settle(editor, session, signal)
        if (settled === 'cancelled') return settled
        if (settled) continue
      }
      return await finish(editor, session, next.value, signal)
    }
    return 'cancelled'
  } finally {
    stop.abort()
    await shown.done()
  }
}

/** Sends the message, or gives it as the answer that the run waits for; a reason if something else has to be answered first. */
async function begin(
  editor: AttachedEditor,
  session: OpenSession,
  given: PromptText,
  signal: AbortSignal,
): Promise<StopReason | undefined> {
  const { folder, sessionId } = session
  const params = { ...folder.params, sessionId }
  const { state } = unwrap(await folder.connection.call('getSession', { params }))
  if (state === 'waiting') {
    const [question] = await openQuestions(session)
    if (question && question.definition === undefined) {
      if (given.pictures.length > 0) unwrap(ANSWER_IS_TEXT)
      await answerQuestion(editor, session, question, given.text)
      return undefined
    }
    if (!(await settleQuestions(editor, session, signal))) return 'cancelled'
    if (!(await settleApprovals(editor, session, signal))) return 'cancelled'
  }
  if (!session.isBegun && !(await settleFolder(editor, session, signal)))
    return signal.aborted ? 'cancelled' : 'end_turn'
  await lookAtBuffers(editor, session, new Map(given.files.map(({ path, text }) => [path, text])))
  if (signal.aborted) return 'cancelled'
  const images = unwrap(await putPictures(folder, given.pictures))
  const { notice } = unwrap(await send(editor, session, { text: given.text, images }))
  if (notice) await sendNotice(editor, sessionId, { severity: 'info', title: notice })
  if (!session.isBegun)
    await sendUpdate(editor, sessionId, {
      sessionUpdate: 'session_info_update',
      title: given.text.trim().slice(0, TITLE_CHARS),
    })
  session.isBegun = true
  return undefined
}

async function send(
  { connection }: AttachedEditor,
  { folder, sessionId, mode, effort, ...session }: OpenSession,
  { text, images }: { readonly text: string; readonly images: readonly PutPicture[] },
): Promise<Result<SentMessage>> {
  const model = await connection.useModel(session.model)
  return folder.connection.call('sendMessage', {
    params: { ...folder.params, sessionId },
    body: {
      text,
      ...(images.length > 0 && { images: [...images] }),
      model,
      toolset: toolsetOf(mode),
      approve: 'ask',
      plan: mode === 'plan',
      effort,
    },
  })
}

async function settle(
  editor: AttachedEditor,
  session: OpenSession,
  signal: AbortSignal,
): Promise<boolean | 'cancelled'> {
  if (!(await settleQuestions(editor, session, signal))) return signal.aborted
  if (await settleApprovals(editor, session, signal)) return true
  // an editor answers a permission so when it cancels, and its notification may come later
  return signal.aborted || 'cancelled'
}

async function finish(
  editor: AttachedEditor,
  session: OpenSession,
  { reason }: RunEnd,
  signal: AbortSignal,
): Promise<StopReason> {
  if (reason === 'cancelled' || signal.aborted) return 'cancelled'
  if (reason === 'final') await offerDraft(editor, session, { signal })
  if (reason === 'limit') return 'max_turn_requests'
  return signal.aborted ? 'cancelled' : 'end_turn'
}

/** Events come faster than an editor takes them, and their order must stay. */
function showEvents(editor: AttachedEditor, { folder, sessionId }: OpenSession) {
  const { session } = editor.capabilities
  const projection = createProjection({
    folder,
    isReplay: false,
    shows: { notices: !!session?.notices, compaction: !!session?.compaction },
  })
  let last: Promise<void> = Promise.resolve()
  const show = async (event: SessionEvent) => {
    for (const update of await projection.take(event)) await sendUpdate(editor, sessionId, update)
  }
  return {
    take(event: SessionEvent): void {
      last = last.then(() => show(event))
      last.catch(() => {}) // whoever waits for the end gets it
    },
    done: () => last,
  }
}
