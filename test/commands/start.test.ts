import { expect, test } from 'vitest'
import { verifies } from '../verifies.ts'
import { type Address, endOf, root, signalGroup, temporaryFolder } from './checkout.ts'
import { npmStart } from './started.ts'

verifies(
  'CONTRACT §9 npm start serves the sample',
  'npm start serves the page and the sample workspace, and stops with Ctrl-C',
  async () => {
    const started = await npmStart(root, temporaryFolder())
    const page = await fetch(new URL('/', started.url))
    expect(await page.text()).toContain('<title>Filewright</title>')
    const answer = await ask(started, '/api/workspaces', started.token)
    expect(answer.status).toBe(200)
    expect(JSON.stringify(await answer.json())).toContain('sample')
    signalGroup(started.npm, 'SIGINT')
    await endOf(started.npm)
    await expectClosed(started)
  },
)

verifies(
  ['CONTRACT §8 npm start ends', 'CONTRACT §8 token asked', 'CONTRACT §8 401 before routing'],
  'everything under /api answers 401 without the token, and a SIGTERM to npm alone ends the server',
  async () => {
    const started = await npmStart(root, temporaryFolder())
    for (const path of ['/api/workspaces', '/api/nothing-like-this']) {
      for (const token of [undefined, 'wrong']) {
        expect((await ask(started, path, token)).status).toBe(401)
      }
    }
    started.npm.kill('SIGTERM')
    await endOf(started.npm)
    await expectClosed(started)
  },
)

test('npm alone killed leaves no server behind', async () => {
  const started = await npmStart(root, temporaryFolder())
  started.npm.kill('SIGKILL')
  await expectClosed(started)
})

function ask({ url }: Address, path: string, token: string | undefined): Promise<Response> {
  return fetch(new URL(path, url), { headers: token ? { authorization: `Bearer ${token}` } : {} })
}

async function expectClosed({ url }: Address): Promise<void> {
  const answers = () =>
    fetch(new URL('/', url)).then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(false)
}
