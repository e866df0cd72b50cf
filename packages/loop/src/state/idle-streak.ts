/**
 * Turns in a row that brought nothing new although their calls differ: the same kind of failure, a result that was there
 * before, regions that were read before. A change, or anything new that was read, ends the streak.
 */
export interface IdleStreak {
  readonly turns: number
  /** The last turn that counted, or that ended a streak: a turn counts once, whatever its number of calls. */
  readonly turnId: string
  /** The kind of failure, if the streak has one. */
  readonly code: string | null
  /** The newest results, to know a region again. */
  readonly texts: readonly SeenText[]
}

interface SeenText {
  /** The tool, and the file if the call names one. */
  readonly about: string
  readonly text: string
}

export interface TurnResult {
  readonly turnId: string
  readonly name: string
  readonly arguments: string
  readonly text: string
  readonly code: string | null
  /** A file changed. */
  readonly hasChanged: boolean
}

export const NO_STREAK: IdleStreak = { turns: 0, turnId: '', code: null, texts: [] }

const WARNED_AT = 4 // three tries in other words are a search, four are a habit
/** From here on the run is stopped: the model ignored the warning, and only burns tokens. */
export const IDLE_TURNS = 8

const TEXTS_KEPT = 8 // as many as a streak has turns
const LINES_LOOKED_AT = 12
const LEAST_LINES = 4 // shorter results look alike by chance
const SHORTEST_LINE = 4 // characters; brackets and blanks are everywhere

export function streakAfter(
  streak: IdleStreak,
  result: TurnResult,
  isKnownResult: boolean,
): IdleStreak {
  const { turnId, code, text, hasChanged } = result
  const about = aboutOf(result)
  if (hasChanged) return { ...NO_STREAK, turnId }
  const isOld = code !== null || isKnownResult || isReadBefore(streak.texts, about, text)
  const texts =
    code === null ? [...streak.texts.slice(1 - TEXTS_KEPT), { about, text }] : streak.texts
  if (!isOld) return { turns: 0, turnId, code: null, texts }
  const isOtherFailure = code !== null && streak.code !== null && code !== streak.code
  const before = isOtherFailure ? 0 : streak.turns
  const turns = streak.turnId === turnId ? streak.turns : before + 1
  return { turns, turnId, code: code ?? streak.code, texts }
}

export function idleNote({ turns }: IdleStreak): string {
  if (turns < WARNED_AT) return ''
  return `${turns} turns in a row brought nothing new: no change, nothing read for the first time, the same failure again. At ${IDLE_TURNS} the run is stopped. Use what you know, take another way, or tell the person what blocks you.`
}

function aboutOf({ name, arguments: args }: TurnResult): string {
  const path = /"(?:path|docPath)"\s*:\s*"([^"\\]+)"/.exec(args)?.[1]
  return `${name} ${path ?? ''}`
}

/** Whole lines are compared, and a few of them: lines of a read are numbered, so a new region has new ones. */
function isReadBefore(texts: readonly SeenText[], about: string, text: string): boolean {
  const earlier = texts.filter(seen => seen.about === about)
  if (earlier.length === 0) return false
  const lines = text.split('\n').filter(line => line.trim().length >= SHORTEST_LINE)
  if (lines.length < LEAST_LINES) return false
  const step = Math.max(1, Math.floor(lines.length / LINES_LOOKED_AT))
  const looked = lines.filter((_, index) => index % step === 0)
  let unseen = 0 // the first line names the region, and differs
  for (const line of [...looked, lines.at(-1)!]) {
    if (!earlier.some(seen => seen.text.includes(`\n${line}`))) unseen++
    if (unseen > 1) return false
  }
  return true
}
