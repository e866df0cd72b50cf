import { toCallKey, toResultKey } from './call-key.ts'
import {
  type IdleStreak,
  idleNote,
  NO_STREAK,
  streakAfter,
  type TurnResult,
} from './idle-streak.ts'

/**
 * What the guard remembers (CONTRACT §7). A call is repeated when the same call gave the same result and nothing new was
 * learned in between. Bounded, so that a long run costs no more than a short one.
 */
export interface GuardState {
  /** Grows with every new result: progress. */
  readonly progress: number
  readonly seen: readonly SeenCall[]
  /** The last results in order, to notice two calls that alternate. */
  readonly trail: readonly string[]
  readonly failing: readonly FailingTool[]
  /** Calls in a row that were not run because they were repeats. */
  readonly suppressed: number
  readonly idle: IdleStreak
}

interface SeenCall {
  readonly call: string
  readonly result: string
  readonly count: number
  readonly progress: number
}

interface FailingTool {
  readonly name: string
  readonly code: string
  readonly count: number
}

export interface GuardedResult extends TurnResult {
  readonly toolCallId: string
  readonly fullSha256?: string
}

const TOLD_AT = 2 // CONTRACT §7
const SUPPRESSED_AT = 3 // CONTRACT §7
const SAME_FAILURE_TOLD_AT = 3 // two tries are normal: the first message is read, the second call corrected
const SEEN_CALLS = 128 // a circle of more distinct calls than this is ended by the limit of turns
const NOTE = '\n\n[Filewright] '
const LONGEST_NOTE = 600 // characters

/** From here on a model that keeps repeating itself is stopped: it ignored the notes, and only burns tokens. */
export const SUPPRESSED_IN_A_ROW = 5

export const NEW_GUARD: GuardState = {
  progress: 0,
  seen: [],
  trail: [],
  failing: [],
  suppressed: 0,
  idle: NO_STREAK,
}

export function guardAfter(guard: GuardState, result: GuardedResult): GuardState {
  const call = toCallKey(result.name, result.arguments)
  const key = toResultKey(withoutNote(result.text), result.toolCallId, result.fullSha256)
  const before = guard.seen.find(seen => seen.call === call)
  const isNew = before?.result !== key
  const isKnown = guard.seen.some(seen => seen.result === key)
  const progress = isNew ? guard.progress + 1 : guard.progress
  const count = !isNew && before?.progress === progress ? before.count + 1 : 1
  const others = guard.seen.filter(seen => seen !== before).slice(-SEEN_CALLS + 1)
  return {
    progress,
    seen: [...others, { call, result: key, count, progress }],
    trail: isNew && before ? [call] : [...guard.trail.slice(-3), call],
    failing: failingAfter(guard.failing, result),
    suppressed: 0,
    idle: streakAfter(guard.idle, { ...result, text: withoutNote(result.text) }, isKnown),
  }
}

/** The loop answered a call itself; it counts when the guard was the reason. */
export function guardAfterSynthetic(guard: GuardState, name: string, args: string): GuardState {
  return suppression(guard, name, args) === undefined
    ? guard
    : { ...guard, suppressed: guard.suppressed + 1 }
}

/** The note that a result carries for the model, given the guard before it. */
export function noteFor(guard: GuardState, result: GuardedResult): string {
  const after = guardAfter(guard, result)
  const seen = after.seen.at(-1)!
  if (seen.count >= TOLD_AT)
    return `${NOTE}This is the same call with the same result for the ${ordinal(seen.count)} time, and nothing new was learned in between. It will not run again unchanged: use what you know, or ask for something else.`
  if (after.progress === guard.progress && isAlternation(after.trail))
    return `${NOTE}Two calls alternate, and their results do not change. They will not run again unchanged: use what you know, or ask for something else.`
  const idle = idleNote(after.idle)
  if (idle) return `${NOTE}${idle}`
  const failing = after.failing.find(tool => tool.name === result.name)
  if (failing && failing.count >= SAME_FAILURE_TOLD_AT)
    return `${NOTE}${failing.count} calls of ${failing.name} in a row failed with ${failing.code}. Read the message above and try another way, or tell the person what blocks you.`
  return ''
}

/** Why a call is not run any more; undefined when it may be. */
export function suppression(
  guard: GuardState,
  name: string,
  argumentsJson: string,
): string | undefined {
  const call = toCallKey(name, argumentsJson)
  const seen = guard.seen.find(one => one.call === call)
  if (!seen || seen.progress !== guard.progress) return undefined
  if (seen.count >= SUPPRESSED_AT - 1)
    return `The call was not run: it gave the same result ${seen.count} times, and nothing has changed since. Use that result, ask for something else, or tell the person what blocks you.`
  if (guard.trail.length === 4 && isAlternation(guard.trail) && guard.trail[2] === call)
    return 'The call was not run: it alternates with one other call, and neither result changes. Use them, ask for something else, or tell the person what blocks you.'
  return undefined
}

/** A note is short and comes last, so a long result is not searched for it. */
function withoutNote(text: string): string {
  const from = Math.max(0, text.length - LONGEST_NOTE)
  const at = text.slice(from).lastIndexOf(NOTE)
  return at < 0 ? text : text.slice(0, from + at)
}

function isAlternation(trail: readonly string[]): boolean {
  const [a, b, c, d] = trail
  return d !== undefined && a === c && b === d && a !== b
}

function failingAfter(failing: readonly FailingTool[], result: GuardedResult): FailingTool[] {
  const { name, code } = result
  const before = failing.find(tool => tool.name === name)
  const others = failing.filter(tool => tool !== before)
  if (code === null) return others
  return [...others, { name, code, count: before?.code === code ? before.count + 1 : 1 }]
}

function ordinal(count: number): string {
  return count === 2 ? 'second' : count === 3 ? 'third' : `${count}th`
}
