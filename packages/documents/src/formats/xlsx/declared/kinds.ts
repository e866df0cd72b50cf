import { lookUp } from '@filewright/protocol'
import { z } from 'zod'
import { findUnholdable } from '../cell/unholdable.ts'

/** Where an operation works. A sheet may be called 2025, and a call may send that as a number. */
export const sheet = z.union([z.string(), z.number()]).describe('Sheet name')
export const range = z.string().describe('Cell range such as A1:C10')
export const cell = z.string().describe('Address such as B2')

/** A text that a file can hold. */
export function text(most = 32_767) {
  return z
    .string()
    .refine(own => own.length <= most, { error: `has at most ${most} characters`, abort: true })
    .refine(own => findUnholdable(own) === undefined, {
      error: ({ input }) => `holds ${findUnholdable(String(input))}, which a file cannot`,
    })
}

/** One of these words, without regard to case, spaces, - and _; some have other names. */
export function word<const Word extends string>(
  words: readonly Word[],
  others: Readonly<Record<string, Word>> = {},
) {
  const plain = (own: string) => own.toLowerCase().replace(/[\s_-]+/g, '')
  return z.preprocess(
    given =>
      typeof given === 'string'
        ? (lookUp(others, given.trim()) ?? words.find(own => plain(own) === plain(given)) ?? given)
        : given,
    z.enum(words),
  )
}
