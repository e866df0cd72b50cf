import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { portFace } from './port-face.ts'

test.each([
  ['/', 'the page'],
  ['/toys', 'the page'], // the page has every path that no route has
  ['/toy', 'owner: /toy'],
  ['/toy/below', 'owner: /toy/below'],
  ['/api/health', 'owner: /api/health'],
  ['/api/local/workspaces', 'owner: /api/local'], // for processes of this machine alone
])('a port answers GET %s with %s', async (path, answer) => {
  const webRoot = mkdtempSync(join(tmpdir(), 'filewright-port-'))
  onTestFinished(() => rmSync(webRoot, { recursive: true }))
  writeFileSync(join(webRoot, 'index.html'), 'the page')
  const face = portFace(async ({ url }) => new Response(`owner: ${new URL(url).pathname}`), {
    hosts: [],
    webRoot,
    routes: [{ path: '/toy', answer: async () => new Response() }],
  })
  const response = await face(new Request(`http://localhost${path}`))
  expect(await response.text()).toBe(answer)
})
