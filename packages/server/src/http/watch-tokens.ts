import type { Tokens } from './tokens.ts'

/** Streams that stay open while their token does: a request is checked once, and a stream may last for days. */
export interface WatchedTokens {
  /** The same events, which end when the token is revoked or expires. */
  whileValid(token: string, events: Response): Response
}

const LOOK_MS = 1_000

export function watchTokens({ scopeOf }: Pick<Tokens, 'scopeOf'>): WatchedTokens {
  const open = new Map<string, Set<() => void>>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    for (const [token, streams] of open) {
      const found = await scopeOf(token).catch(() => undefined) // the store is away: look again
      if (found && !found.ok) for (const end of [...streams]) end()
    }
  }

  function join(token: string, end: () => void): () => void {
    const streams = open.get(token) ?? new Set()
    open.set(token, streams.add(end))
    timer ??= setInterval(() => void look(), LOOK_MS).unref()
    return () => {
      streams.delete(end)
      if (streams.size === 0 && open.get(token) === streams) open.delete(token)
      if (open.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    whileValid(token, { status, headers, body }) {
      const source = body?.getReader()
      if (!source) return new Response(null, { status, headers })
      let leave = () => {}
      const events = new ReadableStream<Uint8Array>({
        start(controller) {
          leave = join(token, () => {
            leave()
            controller.close()
            source.cancel().catch(() => {}) // its writer may have ended it already
          })
        },
        async pull(controller) {
          const { done, value } = await source.read()
          if (!done) return controller.enqueue(value)
          leave()
          close(controller)
        },
        async cancel(reason) {
          leave()
          await source.cancel(reason)
        },
      })
      return new Response(events, { status, headers })
    },
  }
}

/** The token may have ended it at the same moment. */
function close(controller: ReadableStreamDefaultController): void {
  try {
    controller.close()
  } catch {
    // closed already
  }
}
