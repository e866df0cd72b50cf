import {
  createScripted,
  type Model,
  type ModelRequest,
  type ScriptedAnswer,
} from '@filewright/loop'
import { answerSchemas, type JournalLine, type LogRow } from '@filewright/protocol'
import { expect } from 'vitest'
import type { Embedded } from '../embedded.ts'

export type RunEnd = Extract<JournalLine, { type: 'run-end' }>
export type ResultLine = Extract<JournalLine, { type: 'tool_result' }>

export interface Call {
  readonly name: string
  readonly arguments: unknown
}

/** One answer of a scripted model: its text and its calls. */
export function says(text: string, ...calls: readonly Call[]): ScriptedAnswer {
  return {
    text,
    calls: calls.map(call => ({ name: call.name, arguments: JSON.stringify(call.arguments) })),
  }
}

export function call(name: string, args: unknown = {}): Call {
  return { name, arguments: args }
}

export interface Recorder {
  readonly model: Model
  /** The requests to the model, as they were when sent. */
  readonly requests: readonly ModelRequest[]
}

export interface RecorderOptions {
  readonly contextTokens?: number
  /** Awaited before an answer begins. */
  readonly before?: (step: number) => Promise<void>
}

/** A scripted model that remembers its requests. */
export function recorder(
  answers: readonly ScriptedAnswer[],
  { contextTokens, before }: RecorderOptions = {},
): Recorder {
  const scripted = createScripted({ answers, ...(contextTokens && { contextTokens }) })
  const requests: ModelRequest[] = []
  return {
    requests,
    model: {
      ...scripted,
      async *stream(request) {
        requests.push({ ...request, messages: [...request.messages] })
        await before?.(request.step)
        yield* scripted.stream(request)
      },
    },
  }
}

export async function send(
  product: Embedded,
  text: string,
  body: Readonly<Record<string, unknown>> = {},
  sessionId = product.sessionId,
): Promise<{ readonly runId: string | null; readonly steered: boolean }> {
  const { status, value } = await product.ask('sendMessage', {
    params: { sessionId },
    body: { text, ...body },
  })
  if (status !== 200) throw new Error(`The message was refused: ${JSON.stringify(value)}`)
  return value
}

/** Sends a message and waits for the run's end. */
export async function runTo(
  product: Embedded,
  text: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly end: RunEnd; readonly rows: readonly LogRow[] }> {
  await send(product, text, body)
  return untilEnded(product)
}

export async function untilEnded(product: Embedded, sessionId = product.sessionId) {
  await until(product, state => state !== 'running', sessionId)
  const rows = await rowsOf(product, sessionId)
  return { end: bodies(rows, 'run-end').at(-1)!, rows }
}

export async function until(
  product: Embedded,
  isIt: (state: string) => boolean,
  sessionId = product.sessionId,
): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const { value } = await product.ask('getSession', { params: { sessionId } })
    if (isIt(value.state)) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`The session did not come there: ${JSON.stringify(await rowsOf(product))}`)
}

export async function rowsOf(
  product: Embedded,
  sessionId = product.sessionId,
): Promise<readonly LogRow[]> {
  const { value } = await product.ask('log', { params: { sessionId }, query: { limit: '5000' } })
  described ??= answerSchemas().log
  expect(described.safeParse(value).error).toBeUndefined() // as the OpenAPI document says
  return value.rows
}

let described: ReturnType<typeof answerSchemas>['log'] | undefined

export function bodies<Type extends JournalLine['type']>(
  rows: readonly LogRow[],
  type: Type,
): Extract<JournalLine, { type: Type }>[] {
  return rows.flatMap(({ body }) =>
    body.type === type ? [body as Extract<JournalLine, { type: Type }>] : [],
  )
}
