/** Which quota a refusal names, and how long to wait, in the forms that providers use. */
export interface QuotaRefusal {
  readonly span: 'day' | 'shorter' | 'unknown'
  readonly retryAfterMs?: number
  /** As the provider names it. */
  readonly name?: string
}

const PER_DAY = /per.?day/i

/** Google's details say more than its message, which sounds like an unpaid bill; others say it in words. */
export function quotaIn(body: string): QuotaRefusal {
  const quotaIds = [...body.matchAll(/"quotaId"\s*:\s*"([^"]+)"/g)].map(match => match[1]!)
  const daily = quotaIds.find(id => PER_DAY.test(id))
  const delay = /"retryDelay"\s*:\s*"([^"]+)"/.exec(body)?.[1] ?? waitInWords(body)
  const retryAfterMs = delay === undefined ? undefined : parseDelay(delay)
  const isDaily = daily !== undefined || (quotaIds.length === 0 && PER_DAY.test(body))
  const isShorter = quotaIds.length > 0 || retryAfterMs !== undefined
  const name = daily ?? quotaIds[0]
  return {
    span: isDaily ? 'day' : isShorter ? 'shorter' : 'unknown',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(name !== undefined && { name }),
  }
}

const PACIFIC = 'America/Los_Angeles'
const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** Google's quotas per day begin anew at midnight Pacific time, on the hour in UTC. */
export function nextPacificMidnight(now: number): Date {
  const hourOf = new Intl.DateTimeFormat('en-US', {
    timeZone: PACIFIC,
    hour: 'numeric',
    hourCycle: 'h23',
  })
  const first = Math.floor(now / HOUR_MS) + 1
  const hours = Array.from({ length: DAY_HOURS + 1 }, (_, index) => (first + index) * HOUR_MS)
  return new Date(
    hours.find(hour => Number(hourOf.format(hour)) === 0) ?? now + DAY_HOURS * HOUR_MS,
  )
}

function waitInWords(body: string): string | undefined {
  return /(?:retry|try again) in ((?:[\d.]+\s*(?:ms|[dhms])\s*)+)/i.exec(body)?.[1]
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: HOUR_MS,
  d: DAY_HOURS * HOUR_MS,
}

/** `39s`, `39.8s`, `1m2.5s`, `6h3m`, `300ms`. */
function parseDelay(delay: string): number | undefined {
  const pieces = [...delay.matchAll(/([\d.]+)\s*(ms|[dhms])/g)]
  const ms = pieces.reduce((total, [, amount, unit]) => total + Number(amount) * UNIT_MS[unit!]!, 0)
  return pieces.length > 0 && Number.isFinite(ms) ? Math.ceil(ms) : undefined
}
