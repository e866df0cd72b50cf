import { createHash } from 'node:crypto'

/** Something that took time in a run, as tracing tools show it. */
export interface TraceSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string
  readonly name: string
  /** In ms since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, string>>
  readonly isFailure: boolean
}

/** Every instance that goes on with a run finds the same: a run that moved is one trace. */
export const traceIdOf = (id: string) => digest(`trace ${id}`, 32)
export const spanIdOf = (id: string) => digest(`span ${id}`, 16)

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}
