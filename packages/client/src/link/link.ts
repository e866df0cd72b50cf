import { setTimeout as sleep } from 'node:timers/promises'
import type { LinkEvent, LinkRequest, RouteClient } from '@filewright/protocol'
import { answerer, type MethodTable } from './answerer.ts'
import { createAnswersUp } from './answers-up.ts'
import { eventData } from './event-data.ts'

export interface LinkOptions {
  readonly server: RouteClient
  readonly workspaceId: string
  readonly methods: MethodTable
  readonly onState?: (state: 'attached' | 'lost') => void
  readonly onError: (error: unknown) => void
}

/** Stays attached until closed: requests arrive as events, answers go up as posts; it reconnects after a break. */
export interface Link {
  /** Resolves when the server first knows it. */
  readonly attached: Promise<void>
  tell(events: readonly LinkEvent[]): Promise<void>
  close(): Promise<void>
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000

export function openLink(options: LinkOptions): Link {
  const { server, workspaceId, onError } = options
  const params = { workspaceId }
  const answer = answerer(options.methods, onError)
  const up = createAnswersUp({ server, workspaceId, answer, onError })
  const abort = new AbortController()
  const attached = withResolvers()
  let wait = FIRST_WAIT_MS

  async function listen() {
    const response = await server.listen('link', { params, signal: abort.signal })
    if (!response.ok || !response.body)
      throw new Error(`The server answered ${response.status} to the link`)
    attached.resolve()
    wait = FIRST_WAIT_MS
    options.onState?.('attached')
    await up.post()
    for await (const data of eventData(response.body, abort.signal))
      up.take(JSON.parse(data) as LinkRequest).catch(onError)
  }

  async function stay() {
    while (!abort.signal.aborted) {
      try {
        await listen()
      } catch (error) {
        if (!abort.signal.aborted) onError(error)
      }
      if (abort.signal.aborted) return
      options.onState?.('lost')
      await sleep(wait, undefined, abort).catch(() => {}) // it was closed
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
  }

  const staying = stay()
  return {
    attached: attached.promise,
    async tell(events) {
      const response = await server.open('linkEvents', { params, body: { events } })
      await response.body?.cancel()
    },
    async close() {
      abort.abort()
      await staying
    },
  }
}

function withResolvers() {
  let resolve!: () => void
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
