import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'

/** `filewright rpc` on a folder with one file, and a model that plays the steps. */
export async function prepareRpc(steps: readonly FakeStep[]) {
  const box = sandbox({ 'a.txt': 'a\n' })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_API_KEY: 'k' }
  const start = () => talkTo(box.start(['rpc'], { env }))
  return { box, model, start, peer: start() }
}

export interface Message {
  readonly jsonrpc: string
  readonly id?: number
  readonly method?: string
  readonly params: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** The other end of JSON-RPC on stdio. */
function talkTo(child: ReturnType<Sandbox['start']>) {
  const notifications: Message[] = []
  const answers: Message[] = []
  let arrived = () => {}
  createInterface({ input: child.stdout! }).on('line', line => {
    const message = JSON.parse(line) as Message
    expect(message.jsonrpc).toBe('2.0')
    if (message.method) notifications.push(message)
    else answers.push(message)
    arrived()
  })
  const next = async (isIt: (message: Message) => boolean = () => true): Promise<Message> => {
    for (;;) {
      const index = answers.findIndex(isIt)
      if (index >= 0) return answers.splice(index, 1)[0]!
      await new Promise<void>(resolve => {
        const before = arrived
        arrived = () => {
          before()
          resolve()
        }
      })
    }
  }
  let id = 100
  const write = (line: string) => void child.stdin!.write(`${line}\n`)
  return {
    child,
    notifications,
    write,
    next,
    /** The answer to a request with this id. */
    answerTo: (own: number) => next(message => message.id === own),
    /** The first notification that fits, from those so far or to come. */
    async heard(isIt: (message: Message) => boolean): Promise<Message> {
      await expect.poll(() => notifications.some(isIt)).toBe(true)
      return notifications.find(isIt)!
    },
    ask(method: string, params: unknown): Promise<Message> {
      const own = id++
      write(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
      return next(message => message.id === own)
    },
    async close() {
      child.stdin!.end()
      const code = await new Promise(resolve => child.on('close', resolve))
      expect(code).toBe(0)
    },
  }
}
