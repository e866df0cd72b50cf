import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../browser/browser.ts'
import { type Sandbox, sandbox } from '../../cli.ts'
import { root } from '../../commands/checkout.ts'
import { type Era, type Message, textOf } from '../frames.ts'
import { connectStdio, type StdioClient } from '../stdio-client.ts'
import { type Framed, openFramed } from './framed.ts'

const isFull = process.env.FILEWRIGHT_FULL === '1'
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const ADDRESS = 'ui://filewright/review'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** A draft with three changes in two files, in a host that shows apps and has no forms. */
async function drafting(era: Era = '2025-11-25'): Promise<{ box: Sandbox; client: StdioClient }> {
  const box = sandbox({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' })
  const client = await connectStdio(box, { era, capabilities: { extensions: APPS } })
  const edits = [
    { search: 'one', replace: 'ONE' },
    { search: 'five', replace: 'FIVE' },
  ]
  await client.call('edit_text_file', { path: 'a.txt', edits })
  await client.call('write_text_file', { path: 'new.txt', content: 'new\n' })
  return { box, client }
}

async function pageOf(client: StdioClient): Promise<string> {
  const { contents } = await client.ask('resources/read', { uri: ADDRESS })
  expect(contents[0]).toMatchObject({ uri: ADDRESS, mimeType: 'text/html;profile=mcp-app' })
  return contents[0].text
}

test('a host that shows apps and has no forms is offered the review, in either era; no other host is', async () => {
  for (const era of ['2026-07-28', '2025-11-25'] as const) {
    const { client } = await drafting(era)
    const { tools } = await client.ask('tools/list')
    const meta = Object.fromEntries(tools.map((tool: Message) => [tool.name, tool._meta?.ui]))
    expect(meta.review_draft).toEqual({ resourceUri: ADDRESS })
    expect(meta.publish_draft).toEqual({ resourceUri: ADDRESS })
    expect(meta.decide_review).toEqual({ resourceUri: ADDRESS, visibility: ['app'] })
    expect(await pageOf(client)).toContain('<script type="module">')
    const pending = textOf(await client.call('publish_draft'))
    expect(pending).toMatch(/^pending: nothing was written/)
    expect(pending).toContain('in the review that is shown here')
  }
  const others = [
    {},
    { extensions: APPS, elicitation: { form: {} } },
    { extensions: APPS, elicitation: {} },
  ]
  for (const capabilities of others) {
    const client = await connectStdio(sandbox(), { era: '2025-11-25', capabilities })
    const { tools } = await client.ask('tools/list')
    expect(tools.filter((tool: Message) => tool._meta)).toEqual([])
    await expect(client.call('decide_review', {})).rejects.toThrow('UNKNOWN_TOOL')
    await expect(client.ask('resources/read', { uri: ADDRESS })).rejects.toThrow('NOT_FOUND')
  }
})

test('without a proof of the frame nothing is written, and a proof is good for one draft as it was seen, once', async () => {
  const { box, client } = await drafting()
  const key = /name="filewright-key" content="([0-9a-f]{64})"/.exec(await pageOf(client))![1]!
  const look = async () => JSON.parse(textOf(await client.call('review_for_person', {})))
  const click = (review: Message, challenge: string, by = key, more: object = {}) => {
    const words = JSON.stringify([challenge, review.draft.id, null, [], []])
    const proof = createHmac('sha256', by).update(words).digest('hex')
    const given = {
      draft_id: review.draft.id,
      challenge,
      refused: [],
      comments: [],
      proof,
      ...more,
    }
    return client.call('decide_review', given)
  }
  const first = await look()
  for (const more of [{ proof: '' }, { proof: 'yes' }, { only: [first.review.changes[0].id] }]) {
    const { challenge } = await look()
    expect(textOf(await click(first.review, challenge, key, more))).toMatch(/^DENIED: Nothing/)
  }
  expect(textOf(await click(first.review, first.challenge, 'another key'))).toMatch(/^DENIED/)
  expect(textOf(await click(first.review, first.challenge))).toMatch(/^DENIED/) // used up by the wrong proof
  expect(textOf(await click(first.review, 'f'.repeat(32)))).toMatch(/^DENIED/)

  const seen = await look()
  await client.call('write_text_file', { path: 'later.txt', content: 'later\n' })
  expect(textOf(await click(seen.review, seen.challenge))).toMatch(/^CONFLICT/)
  expect(box.exists('new.txt')).toBe(false)

  const last = await look()
  expect(textOf(await click(last.review, last.challenge))).toContain('change set is')
  expect(box.read('later.txt')).toBe('later\n')
  expect(textOf(await click(last.review, last.challenge))).toMatch(/^DENIED/)
})

test('a long review comes in pages that are each within the bound', async () => {
  const box = sandbox({ 'long.txt': 'line\nkept\n'.repeat(1_500) })
  const client = await connectStdio(box, { era: '2025-11-25', capabilities: { extensions: APPS } })
  const edits = [
    { search: 'line', replace: 'a line that is a good deal longer than it was', all: true },
  ]
  await client.call('edit_text_file', { path: 'long.txt', edits })
  const seen = new Set<string>()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { content, structuredContent } = await client.call('review_for_person', { after })
    expect(Buffer.byteLength(content[0].text)).toBeLessThanOrEqual(48 * 1024)
    expect(structuredContent).toEqual(JSON.parse(content[0].text))
    for (const { id } of structuredContent.review.changes) seen.add(id)
    after = structuredContent.next
  }
  expect(seen.size).toBeGreaterThan(1_000)
  expect(textOf(await client.call('review_draft'))).toContain(` of ${seen.size}:`)
})

/** What a host answers, without a library. */
async function openByHand(client: StdioClient): Promise<Framed & { readonly heard: Message[] }> {
  const heard: Message[] = []
  const answers: Record<string, (params: Message) => Promise<Message> | Message> = {
    'ui/initialize': () => ({
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'by hand', version: '1' },
      hostCapabilities: { serverTools: {}, updateModelContext: { text: {} } },
      hostContext: { theme: 'dark' },
    }),
    'tools/call': params => client.ask('tools/call', params),
    'ui/update-model-context': () => ({}),
  }
  const framed = await openFramed(browser, await pageOf(client), async message => {
    heard.push(message)
    if (message.method === 'ui/notifications/initialized') await showCall(framed.send)
    const answer = message.id !== undefined ? answers[message.method] : undefined
    if (answer)
      await framed.send({ jsonrpc: '2.0', id: message.id, result: await answer(message.params) })
  })
  return { ...framed, heard }
}

async function showCall(send: Framed['send']): Promise<void> {
  const tell = (method: string, params: object) => send({ jsonrpc: '2.0', method, params })
  await tell('ui/notifications/tool-input', { arguments: {} })
  await tell('ui/notifications/tool-result', { content: [{ type: 'text', text: 'pending' }] })
}

test('a person accepts, refuses and leaves changes in the frame, and publishes', async () => {
  const { box, client } = await drafting()
  await client.call('publish_draft')
  const { frame, page, heard, errors } = await openByHand(client)
  await decideInFrame({ frame, page })
  expect(box.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\n')
  expect(box.exists('new.txt')).toBe(false)
  expect(errors).toEqual([])
  const told = heard.find(({ method }) => method === 'ui/update-model-context')
  expect(told.params.content[0].text).toContain('change set is')
  const left = textOf(await client.call('review_draft'))
  expect(left).toContain('new.txt')
  expect(left).not.toContain('FIVE')
  expect((await box.run(['approvals', 'list'])).stdout).not.toContain('qst_')
})

async function decideInFrame({ frame, page }: Pick<Framed, 'frame' | 'page'>): Promise<void> {
  page.setDefaultTimeout(60_000)
  const change = (words: string) => frame.getByRole('article').filter({ hasText: words })
  await change('FIVE')
    .getByRole('button', { name: /^Refuse/ })
    .click()
  await frame
    .getByRole('article')
    .filter({ hasText: 'new' })
    .last()
    .getByRole('button', { name: /^Leave/ })
    .click()
  await frame.getByRole('button', { name: 'Publish 1 of 3' }).click()
  await frame.getByText('The change set is').waitFor()
}

test.skipIf(!isFull)(
  "the bridge of the extension's own library shows it as a host does",
  async () => {
    const { box, client } = await drafting()
    const { AppBridge } = await import(pathToFileURL(installBridge()).href)
    const bridge = new AppBridge(
      null,
      { name: 'bridge', version: '1' },
      { serverTools: {}, updateModelContext: { text: {} } },
      { hostContext: { theme: 'light' } },
    )
    const told: string[] = []
    const faults: unknown[] = []
    bridge.oncalltool = (params: Message) => client.ask('tools/call', params)
    bridge.onupdatemodelcontext = ({ content }: Message) => {
      told.push(content[0].text)
      return {}
    }
    bridge.onerror = (fault: unknown) => faults.push(fault)
    bridge.oninitialized = async () => {
      await bridge.sendToolInput({ arguments: {} })
      await bridge.sendToolResult({ content: [{ type: 'text', text: 'pending' }] })
    }
    // the bridge runs here, and its messages are carried into the browser and back
    let open: (framed: Framed) => void = () => {}
    const opened = new Promise<Framed>(resolve => {
      open = resolve
    })
    const transport: Message = {
      start: async () => {},
      close: async () => {},
      send: async (message: Message) => (await opened).send(message),
    }
    await bridge.connect(transport)
    const framed = await openFramed(browser, await pageOf(client), message =>
      transport.onmessage(message),
    )
    open(framed)
    await decideInFrame(framed)
    expect(box.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\n')
    expect(told).toEqual([expect.stringContaining('change set is')])
    expect([...faults, ...framed.errors]).toEqual([])
  },
)

function installBridge(): string {
  const cache = join(root, '.filewright-cache/peers/mcp-apps')
  if (!existsSync(join(cache, 'node_modules'))) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(cache, 'package.json'), '{"private":true,"type":"module"}')
    const packages = ['@modelcontextprotocol/ext-apps@2.0.4']
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
      cwd: cache,
      stdio: 'ignore',
    })
  }
  return join(cache, 'node_modules/@modelcontextprotocol/ext-apps/dist/src/app-bridge.js')
}
