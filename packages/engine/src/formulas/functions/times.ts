import { fail, numberOfText, type Scalar, toNumber, Uncertain } from './values.ts'

const DAY = 86_400 // seconds
const LARGEST = 32_767

function timeOf(...given: readonly (Scalar | undefined)[]): number {
  const [hours = 0, minutes = 0, seconds = 0] = given.map(own => {
    const value = toNumber(own)
    return value > LARGEST ? fail('#NUM!') : Math.floor(value)
  })
  const total = hours * 3600 + minutes * 60 + seconds
  return total < 0 ? fail('#NUM!') : (total % DAY) / DAY
}

/** The seconds since midnight. Throws where a part of one decides. */
function secondsOf(given: Scalar | undefined): number {
  const value = toNumber(given)
  if (value < 0) return fail('#NUM!')
  const seconds = (value - Math.floor(value)) * DAY
  const whole = Math.round(seconds)
  if (Math.abs(seconds - whole) > 1e-3) throw new Uncertain('a part of a second')
  return whole % DAY
}

const CLOCK = /^ *(\d{1,2}):(\d\d)(?::(\d\d))?(?: *(am|pm))? *$/i

function timeOfText(given: Scalar | undefined): number {
  if (typeof given === 'object' && given !== null) return toNumber(given)
  if (typeof given !== 'string') return fail('#VALUE!')
  const [, hours, minutes, seconds = '0', half] = CLOCK.exec(given) ?? []
  if (hours === undefined) {
    if (/\d/.test(given)) throw new Uncertain('a text that may be a time')
    return fail('#VALUE!')
  }
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (minute > 59 || second > 59 || hour > (half ? 12 : 23)) throw new Uncertain('such a time')
  const isPm = half?.toLowerCase() === 'pm'
  const full = half ? (hour % 12) + (isPm ? 12 : 0) : hour
  return (full * 3600 + minute * 60 + second) / DAY
}

const ISO_DAY = /^\d{4}-\d\d-\d\d$/

function dayOfText(given: Scalar | undefined): number {
  if (typeof given === 'object' && given !== null) return toNumber(given)
  if (typeof given !== 'string') return fail('#VALUE!')
  if (!ISO_DAY.test(given) && /\d/.test(given)) throw new Uncertain('a text that may be a date')
  return numberOfText(given) ?? fail('#VALUE!')
}

export const TIMES: Readonly<
  Record<string, (...given: readonly (Scalar | undefined)[]) => Scalar>
> = {
  TIME: timeOf,
  HOUR: value => Math.floor(secondsOf(value) / 3600),
  MINUTE: value => Math.floor(secondsOf(value) / 60) % 60,
  SECOND: value => secondsOf(value) % 60,
  TIMEVALUE: timeOfText,
  DATEVALUE: dayOfText,
  VALUE: value => (typeof value === 'boolean' ? fail('#VALUE!') : toNumber(value)),
}
