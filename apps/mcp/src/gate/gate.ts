import { type AskedForYes, signalWithin } from '@filewright/protocol'
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { Agent } from '../agent/agent.ts'
import { type ConfirmForm, type Deed, isYes, toForm } from './deed.ts'
import type { FormReply, HostForm } from './host-form.ts'

/** How long a call waits for a person: hosts give up on a tool after a minute. */
export const WAIT_MS = 45_000
const LOOK_MS = 250

export type PersonAnswer =
  | { readonly kind: 'yes'; readonly by: string }
  /** In the person's own words, where there are any. */
  | { readonly kind: 'no'; readonly words: string }
  | { readonly kind: 'pending'; readonly text: string }
  | { readonly kind: 'form'; readonly answer: InputRequiredResult }

/** Where the question waits, durably, whoever answers it first. */
export interface Waiting {
  readonly id: string
  /** How a person answers it from a terminal, without the folder. */
  readonly command: string
  /** The answer, once a person gave one elsewhere. */
  look(): Promise<PersonSaid | undefined>
  /** Notes the yes of the host's form; false where somebody answered elsewhere before. */
  answer(by: string): Promise<boolean>
}

export type PersonSaid = NonNullable<AskedForYes['answer']>

export interface AgentAsking {
  /** The host shows the review in a frame, where the person decides: the call does not wait. */
  readonly showsReview: boolean
  readonly form: HostForm
  /** Whose form it is, for the log: the product's name. */
  readonly host: string
  readonly signal: AbortSignal
}

/** Asks by what the host offers, and looks for an answer elsewhere meanwhile; never longer than `WAIT_MS`. */
export async function askPerson(
  agent: Agent,
  deed: Deed,
  waiting: Waiting,
  asking: AgentAsking,
): Promise<PersonAnswer> {
  const known = await waiting.look()
  if (known) return toAnswer(known)
  const link = await agent.reviewLink()
  const { form } = asking
  if (asking.showsReview && deed.isInReview)
    return { kind: 'pending', text: pendingText(agent, deed, waiting, link, IN_FRAME) }
  const first = form.later?.replyTo(deed)
  if (form.later && !first)
    return {
      kind: 'form',
      answer: await form.later.toAnswer(deed, toForm(deed, agent.formKey, link)),
    }
  const reply = first ?? (await replyWithin(toForm(deed, agent.formKey, link), waiting, asking))
  if (reply && 'answer' in reply) return reply.answer
  if (reply?.action === 'accept' && isYes(deed, agent.formKey, reply.content)) {
    const by = `the person in ${asking.host}`
    if (await waiting.answer(by)) return { kind: 'yes', by }
    const before = await waiting.look()
    if (before) return toAnswer(before)
  }
  return { kind: 'pending', text: pendingText(agent, deed, waiting, link) }
}

/** Undefined when nobody answered in time; a decline and a cancel are no answer of a person to the question itself. */
async function replyWithin(
  shown: ConfirmForm,
  waiting: Waiting,
  { form, signal }: AgentAsking,
): Promise<FormReply | { readonly answer: PersonAnswer } | undefined> {
  const over = new AbortController()
  const until = signalWithin(WAIT_MS, signal, over.signal)
  try {
    const asked = form.ask?.(shown, until).catch(() => undefined)
    return await Promise.race([lookUntil(waiting, until), ...(asked ? [asked] : [])])
  } finally {
    over.abort()
  }
}

async function lookUntil(
  waiting: Waiting,
  signal: AbortSignal,
): Promise<{ readonly answer: PersonAnswer } | undefined> {
  while (!signal.aborted) {
    await new Promise<void>(resolve => {
      const timer = setTimeout(done, LOOK_MS)
      signal.addEventListener('abort', done, { once: true })
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
    })
    const known = signal.aborted ? undefined : await waiting.look()
    if (known) return { answer: toAnswer(known) }
  }
  return undefined
}

function toAnswer({
  isYes,
  by,
  words = 'They chose to leave it as it is',
}: PersonSaid): PersonAnswer {
  return isYes ? { kind: 'yes', by } : { kind: 'no', words }
}

const IN_FRAME = 'in the review that is shown here, '

/** For the model: who decides, where, and what to do meanwhile. */
function pendingText(
  { inFolder }: Agent,
  { title, tool }: Deed,
  { id, command }: Waiting,
  link: string | undefined,
  inFrame = '',
): string {
  const page = link ? `on the page ${link} or ` : ''
  return [
    `pending: nothing was written. "${title}" waits for a person as ${id}.`,
    `The person decides ${inFrame}${page}with: ${[command, inFolder].filter(Boolean).join(' ')}`,
    `Tell the person so, and do not decide for them. When they have answered, call ${tool} again with the same arguments.`,
  ].join('\n')
}
