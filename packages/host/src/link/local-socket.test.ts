import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen, socketFetch } from './local-socket.ts'

test.skipIf(process.platform === 'win32')(
  'however many streams are followed, the next request is answered',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'filewright-socket-'))
    const path = join(folder, 'owner')
    const stream = () => new Response(new ReadableStream({ start: open => open.enqueue(BEGUN) }))
    const listening = await listen(
      async ({ url }) => (url.endsWith('/events') ? stream() : Response.json('here')),
      { path },
    )
    const send = socketFetch(path)
    onTestFinished(async () => {
      send.close()
      await listening.close()
      rmSync(folder, { recursive: true })
    })
    const following = Array.from({ length: 100 }, () =>
      send(new Request('http://localhost/api/events')),
    )
    const opened = await Promise.all(following)
    expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200))
    expect(await (await send(new Request('http://localhost/api/tools'))).json()).toBe('here')
    await Promise.all(opened.map(({ body }) => body!.cancel()))
  },
)

const BEGUN = new TextEncoder().encode(': open\n\n')
