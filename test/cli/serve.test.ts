import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { ownPort } from '../own-port.ts'
import { verifies } from '../verifies.ts'

/** Prints the name of each folder that a process reads. */
const LOOKS = `
const fs = require('node:fs')
const { basename } = require('node:path')
const { readdirSync } = fs
fs.readdirSync = (folder, ...options) => {
  process.stderr.write('looked into ' + basename(fs.realpathSync(folder)) + '\\n')
  return readdirSync(folder, ...options)
}
`

describe('serve', () => {
  verifies(
    ['CONTRACT §9 serve', 'CONTRACT §9 stderr the rest'],
    'offers several folders and the page, its address alone on stdout',
    async () => {
      const box = sandbox({ 'one/a.txt': 'a\n', 'two/b.txt': 'b\n' })
      const served = await serve(box, '--cwd', 'one', 'two')
      const { workspaces } = (await (await served.get('/api/workspaces')).json()) as {
        workspaces: { name: string; isAttached: boolean }[]
      }
      expect(workspaces.map(({ name }) => name).sort()).toEqual(['one', 'two'])
      expect(workspaces.every(({ isAttached }) => isAttached)).toBe(true)
      expect(await (await served.get('/')).text()).toContain('<title>Filewright</title>')
      const { code, stdout, stderr } = await served.stop()
      expect(code).toBe(0)
      expect(stdout).toMatch(/^Filewright is at http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/)
      expect(stderr).toContain('Offering')
    },
  )

  verifies(
    'CONTRACT §9 serve port',
    'takes the next port when 4680 is taken, or the one given',
    async () => {
      const taken = await listenOn(4680)
      const box = sandbox()
      const served = await serve(box)
      expect(served.port).toBeGreaterThan(taken ? 4680 : 4679) // another process may have freed it since
      await served.stop()
      taken?.close()

      const port = await ownPort()
      const free = await listenOn(port)
      expect(await box.run(['serve', '--port', String(port)])).toMatchObject({
        code: 8,
        stdout: '',
        stderr: expect.stringContaining(`port ${port} is taken`),
      })
      free?.close()
      const told = await serve(box, '--port', String(port), '--host', '127.0.0.1')
      expect(told.port).toBe(port)
      await told.stop()
    },
  )

  test('looks through a folder once before it is offered', async () => {
    const box = sandbox({ 'inner/a.txt': 'a\n', '../looks.cjs': LOOKS })
    const env = { NODE_OPTIONS: `--require "${box.dir}/../looks.cjs"` }
    const child = box.start(['serve', '--port', '0'], { env })
    const ended = finished(child)
    await addressOf(child)
    child.kill('SIGTERM')
    const { stderr } = await ended
    expect(stderr.match(/^looked into inner$/gm)).toHaveLength(1)
  })

  verifies('CONTRACT §9 serve token', 'has the same token after a restart', async () => {
    const box = sandbox()
    const first = await serve(box, '--port', '0')
    await first.stop()
    const second = await serve(box, '--port', '0')
    await second.stop()
    expect(second.token).toBe(first.token)
  })

  const outward = Object.values(networkInterfaces())
    .flat()
    .find(address => address && !address.internal && address.family === 'IPv4')?.address

  verifies(
    'CONTRACT §8 loopback by default',
    'is reached on loopback, and not on another address of the machine',
    async () => {
      const served = await serve(sandbox(), '--port', '0')
      expect((await served.get('/api/health')).status).toBe(200)
      await expect(fetch(`http://${outward}:${served.port}/api/health`)).rejects.toThrow()
      await served.stop()
    },
    { skip: outward === undefined },
  )

  test('says in one sentence that a port is not for it', async () => {
    const { code, stderr } = await sandbox().run(['serve', '--host', 'no-such-host.invalid'])
    expect(code).toBe(8)
    expect(stderr).toContain('this machine has no address "no-such-host.invalid"')
  })
})

interface Served {
  readonly port: number
  readonly token: string
  get(path: string): Promise<Response>
  stop(): ReturnType<typeof finished>
}

async function serve(box: Sandbox, ...args: string[]): Promise<Served> {
  const child = box.start(['serve', ...args])
  const ended = finished(child)
  const url = new URL(await addressOf(child))
  const token = url.searchParams.get('token')!
  return {
    port: Number(url.port),
    token,
    get: path => fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } }),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout!.on('data', chunk => {
      said += chunk
      const [address] = said.match(/http:\/\/\S+(?=\n)/) ?? []
      if (address) resolve(address)
    })
    child.on('exit', code => reject(new Error(`serve ended with ${code}`)))
  })
}

/** Undefined when another process already has the port, which is just as good. */
function listenOn(port: number): Promise<ReturnType<typeof createServer> | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
