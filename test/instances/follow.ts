import type { LogRow } from '@filewright/protocol'

/** Everything that one client heard of a session, over as many connections as it took. */
export interface Followed {
  readonly rows: readonly LogRow[]
  /** When each of them came, by `performance.now()`. */
  readonly times: readonly number[]
  stop(): void
}

/** Follows the events of a session by its cursor, and connects again whenever the stream ends. */
export function follow(url: string, token: string): Followed {
  const rows: LogRow[] = []
  const times: number[] = []
  const ending = new AbortController()

  async function read() {
    const from = rows.at(-1)?.seq ?? 0
    const response = await fetch(`${url}?after=${from}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: ending.signal,
    })
    if (!response.ok || !response.body) throw new Error(`${response.status}`)
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of response.body) {
      text += decoder.decode(piece as Uint8Array, { stream: true })
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events) hear(event)
    }
  }

  function hear(event: string) {
    const data = /^data: (.*)$/m.exec(event)?.[1]
    const said = data === undefined ? {} : (JSON.parse(data) as { type?: string; row?: LogRow })
    if (said.type !== 'row') return
    rows.push(said.row!)
    times.push(performance.now())
  }

  async function go() {
    while (!ending.signal.aborted) {
      await read().catch(() => {}) // whatever ended it, the cursor says where to go on
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  void go()
  return { rows, times, stop: () => ending.abort() }
}
