import {
  type AskedQuestion,
  fail,
  LIMITS,
  type LineOf,
  outsideServerOf,
  type Result,
  type SessionId,
  type ToolCallId,
  visible,
} from '@filewright/protocol'
import type { RowOf, SessionLog } from '../log/log.ts'
import type { OutsideTool } from './outside-tools.ts'

/** How far a call to a tool from outside has come, by the log alone. */
export type OutsideProgress =
  /** Its row is there and no question about it: it may have been sent. */
  | { readonly type: 'begun' }
  | { readonly type: 'asked'; readonly question: LineOf<'question'> }
  | {
      readonly type: 'decided'
      readonly question: LineOf<'question'>
      readonly decision: LineOf<'decision'>
    }

/**
 * A call that is allowed begins with its row, and so does one that a person says yes to: with a second row. So a call whose
 * newest row has no question after it may have been sent, and nobody may send it again.
 */
export async function findProgress(
  log: SessionLog,
  sessionId: SessionId,
  toolCallId: ToolCallId,
): Promise<OutsideProgress | undefined> {
  const started = await log.findStart(sessionId, toolCallId)
  if (!started) return undefined
  const rows = await log.read(sessionId, { after: started.seq })
  const question = rows
    .map(({ body }) => body)
    .find(body => body.type === 'question' && body.tool_call_id === toolCallId)
  if (question?.type !== 'question') return { type: 'begun' }
  const decision = rows
    .map(({ body }) => body)
    .find(body => body.type === 'decision' && body.approval_id === (question.question_id as string))
  if (decision?.type !== 'decision') return { type: 'asked', question }
  return { type: 'decided', question, decision }
}

/** What its row asks; undefined where nobody is asked, or has answered. */
export async function findAsked(
  log: SessionLog,
  { sessionId, body }: RowOf<'call-start'>,
): Promise<AskedQuestion | undefined> {
  const progress = await findProgress(log, sessionId, body.tool_call_id)
  return progress?.type === 'asked' ? toAsked(progress.question) : undefined
}

export function toAsked({ question, choices, definition }: LineOf<'question'>): AskedQuestion {
  return { text: question, choices, decides: 'call', ...(definition && { definition }) }
}

const ONCE = 0
const ALWAYS = 1

/** The question whether a tool from outside may be called like this. */
export function askAbout(tool: OutsideTool, given: string): AskedQuestion {
  const { name, server, title, sha256 } = tool
  const call = `The model wants to call "${title}" of the MCP server "${server}" with ${shown(given, SHOWN_ARGUMENTS)}.`
  return {
    text: [call, sayDefinition(tool), 'It runs outside Filewright, with what that server may do.']
      .filter(Boolean)
      .join(' '),
    choices: [
      'Allow this call',
      `Always allow ${name} in this folder, as it is defined now`,
      'Do not call it',
    ],
    definition: sha256,
    decides: 'call',
  }
}

const SHOWN_ARGUMENTS = 2_000 // characters
const SHOWN_DEFINITION = LIMITS.outsideShownCharacters

function sayDefinition({ standing, description, parameters }: OutsideTool): string {
  if (standing === 'known') return ''
  const how =
    standing === 'new' ? 'Its definition is new' : 'ITS DEFINITION CHANGED since you saw it'
  const words = description === '' ? 'nothing about itself' : `"${description}"`
  return `${how}. It says ${shown(words, SHOWN_DEFINITION)}; its arguments are ${shown(JSON.stringify(parameters), SHOWN_DEFINITION)}.`
}

function shown(text: string, most: number): string {
  const seen = visible(text)
  return seen.length <= most ? seen : `${seen.slice(0, most)}… (${text.length} characters in all)`
}

/** Anything but a yes is a no; words of the person are the reason. */
export function readYes(
  { choices }: AskedQuestion,
  given: string,
): { readonly isAllowed: boolean; readonly isAlways: boolean; readonly reason?: string } {
  const said = given.trim()
  const byWord = choices.findIndex(choice => choice.toLowerCase() === said.toLowerCase())
  const at = byWord >= 0 ? byWord : /^[1-9]$/.test(said) ? Number(said) - 1 : -1
  const isAllowed = at === ONCE || at === ALWAYS
  const isWords = choices[at] === undefined && said !== ''
  return { isAllowed, isAlways: at === ALWAYS, ...(isWords && { reason: said }) }
}

export function denied(name: string, reason?: string): Result<never> {
  const why = reason ? ` They said: ${reason}` : ''
  return fail(
    'DENIED',
    `${name} was not called: the person said no.${why} Do not call it again like this.`,
  )
}

export function deniedByRule(name: string): Result<never> {
  return fail(
    'DENIED',
    `${name} was not called: a rule of the person denies it. Go on without it, or tell the person.`,
  )
}

/** The one result of a call that was sent, or may have been, and whose answer nobody has. */
export function unknownOutcome(name: string, why: string): Result<never> {
  return fail(
    'OUTCOME_UNKNOWN',
    `${why}, so it is unknown whether ${name} of the MCP server "${outsideServerOf(name)}" took effect. It was not repeated. Find out first, with a tool that only reads or by asking the person.`,
    { kind: 'unavailable' },
  )
}
