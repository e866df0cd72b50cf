import type { Model } from '@filewright/loop'
import { onTestFinished } from 'vitest'
import { createChatModel } from '../packages/loop/src/dialects/chat-completions/model.ts'
import {
  chunk,
  events,
  type ReceivedRequest,
  startFaultServer,
  status,
} from '../packages/loop/src/testing/fault-server.ts'

interface WireMessage {
  readonly role: string
  readonly content: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string }[]
}

/** A request as the server saw it. */
export interface Seen {
  readonly text: string
  readonly tokens: number
  readonly messages: readonly WireMessage[]
  /** Asked for a summary: no tools were offered. */
  readonly isSummary: boolean
}

export interface WindowServer {
  readonly model: Model
  readonly seen: readonly Seen[]
  /** Calls without exactly one result, results without a call, in any request. */
  readonly brokenPairs: number
  readonly overWindow: number
}

export interface Answer {
  readonly text: string
  readonly call?: readonly [name: string, args: unknown]
}

/** Four bytes of JSON are a token here; a request over the window is refused, as providers do. */
const BYTES_PER_TOKEN = 4

/**
 * A model endpoint with a window that it enforces. It answers step by step; a summary is made as a fair model would: it
 * carries over every line of its material that has the word FACT.
 */
export async function windowServer(
  contextTokens: number,
  answer: (step: number, seen: Seen) => Answer,
): Promise<WindowServer> {
  const seen: Seen[] = []
  let steps = 0
  let brokenPairs = 0
  let overWindow = 0
  const server = await startFaultServer([
    (response, request) => {
      const one = toSeen(request)
      seen.push(one)
      brokenPairs += countBroken(one.messages)
      if (one.tokens > contextTokens) {
        overWindow++
        return status(400, { error: { code: 'context_length_exceeded', message: 'Too long.' } })(
          response,
          request,
        )
      }
      const { text, call } = one.isSummary ? { text: sumUp(one) } : answer(steps++, one)
      const calls = call ? [chunk.call(0, `c${steps}`, call[0], JSON.stringify(call[1]))] : []
      const end = chunk.finish(call ? 'tool_calls' : 'stop')
      const usage = chunk.usage(one.tokens, 20)
      return events([chunk.role, chunk.text(text), ...calls, end, usage])(response, request)
    },
  ])
  onTestFinished(() => server.close())
  const model = createChatModel({ name: 'test/window', id: 'window', baseUrl: server.url })
  return {
    model: { ...model, facts: { contextTokens, callsTools: true }, learn: undefined },
    seen,
    get brokenPairs() {
      return brokenPairs
    },
    get overWindow() {
      return overWindow
    },
  }
}

function toSeen({ body }: ReceivedRequest): Seen {
  const text = JSON.stringify(body)
  const tokens = Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
  return { text, tokens, messages: body.messages, isSummary: !body.tools }
}

function sumUp({ messages }: Seen): string {
  const lines = messages.flatMap(({ role, content }) =>
    role === 'user' ? content.split('\n') : [],
  )
  const facts = lines.flatMap(line => /FACT \w+ is \w+/.exec(line)?.[0] ?? [])
  return `The files hold what their names say, and were read one by one, in order, without a miss. ${[...new Set(facts)].join('. ')}`
}

function countBroken(messages: readonly WireMessage[]): number {
  let open = new Set<string>()
  let broken = 0
  for (const message of messages) {
    if (message.role === 'tool') broken += open.delete(message.tool_call_id!) ? 0 : 1
    else broken += open.size
    if (message.role !== 'tool') open = new Set(message.tool_calls?.map(({ id }) => id))
  }
  return broken + open.size
}
