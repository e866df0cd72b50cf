import { type TestFunction, test } from 'vitest'

export type VerifiesOptions = {
  /** The behaviour is not built yet: the test must fail, and the id stays a known gap. */
  gap?: true
  /** For a condition of the machine (no corpus, another platform), never a literal `true`. */
  skip?: boolean
  timeout?: number
}

/**
 * A test that proves the cited requirements, e.g. `verifies('TUL-002 §6 sorted', 'changes …', () => {…})`.
 * The gate reads citations from the source without running it, so ids are written as literals.
 */
export function verifies(
  ids: string | readonly string[],
  title: string,
  body: TestFunction,
  { gap, skip, timeout }: VerifiesOptions = {},
): void {
  if (ids.length === 0) throw new Error(`"${title}" cites no requirement: use test() instead`)
  test(title, { fails: gap === true, skip: skip === true, timeout }, body)
}
