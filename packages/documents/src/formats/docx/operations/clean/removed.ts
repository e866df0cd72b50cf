import { counted } from '@filewright/protocol'

/** What one part of the cleaning removed. */
export interface CleanedKind {
  readonly what: string
  readonly count: number
  /** What it was, in words. */
  readonly items: readonly string[]
  /** Names of people that must stand nowhere afterwards. */
  readonly names?: readonly string[]
}

export function quoted(text: string): string {
  const short = text.replace(/\s+/g, ' ').trim()
  return JSON.stringify(short.length > 60 ? `${short.slice(0, 60)}…` : short)
}

export function countedWith(count: number, noun: string, name: string): string {
  return `${counted(count, noun)} by ${name === '' ? 'unknown' : name}`
}
