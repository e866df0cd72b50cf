import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createScripted } from '@filewright/loop'
import type { LogRow } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { parseScript } from '../../packages/loop/src/testing/parse-script.ts'
import { type Embedded, embedded } from '../embedded.ts'

/** The data of a story other than its folders. */
interface Story {
  readonly toolset?: 'workshop' | 'workspace'
  /** Approves every approval that comes up. */
  readonly approve?: boolean
  readonly publish?: boolean
  /** The beginning of the closing line. */
  readonly closing: string
}

for (const name of readdirSync(import.meta.dirname).filter(each => /^\d{3}_/.test(each)))
  test(name.replaceAll('_', ' '), async () => {
    const folder = join(import.meta.dirname, name)
    const story = JSON.parse(readFileSync(join(folder, 'story.json'), 'utf8')) as Story
    const conversation = readFileSync(join(folder, 'conversation.jsonl'), 'utf8')
    const model = createScripted({ answers: unwrap(parseScript(conversation)) })
    const product = await embedded(readTree(join(folder, 'input')), { model })
    const { text } = JSON.parse(conversation.split('\n')[0]!) as { text: string }
    await product.ask('sendMessage', {
      params: { sessionId: product.sessionId },
      body: { text, toolset: story.toolset ?? 'workshop' },
    })
    if (story.approve) await approveAll(product)
    const end = await untilEnded(product)
    expect(end.closing).toMatch(new RegExp(`^${story.closing}`))
    if (story.publish) expect((await product.ask('publish', { body: {} })).status).toBe(200)
    expect(readTree(product.dir)).toEqual(readTree(join(folder, 'expected')))
    expectWholeLog(await rowsOf(product))
  })

/** Every call has exactly one result. */
function expectWholeLog(rows: readonly LogRow[]) {
  const calls = rows.flatMap(({ body }) =>
    body.type === 'assistant_message' ? (body.tool_calls ?? []).map(call => call.id) : [],
  )
  const results = rows.flatMap(({ body }) =>
    body.type === 'tool_result' ? [body.tool_call_id] : [],
  )
  expect([...results].sort()).toEqual([...calls].sort())
}

async function approveAll(product: Embedded) {
  await until(product, state => state === 'waiting')
  const { value } = await product.ask('listApprovals')
  for (const { id } of value)
    await product.ask('decide', {
      params: { approvalId: id },
      body: { decision: 'approved', by: 'test' },
    })
}

async function untilEnded(product: Embedded) {
  await until(product, state => state === 'idle')
  const end = (await rowsOf(product)).findLast(row => row.type === 'run-end')
  return end!.body as { closing: string; reason: string }
}

async function until(product: Embedded, isIt: (state: string) => boolean) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const { value } = await product.ask('getSession', { params: { sessionId: product.sessionId } })
    if (isIt(value.state)) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(
    `The session did not come there: ${JSON.stringify((await rowsOf(product)).slice(-3))}`,
  )
}

async function rowsOf(product: Embedded): Promise<readonly LogRow[]> {
  const { value } = await product.ask('log', {
    params: { sessionId: product.sessionId },
    query: { limit: '5000' },
  })
  return value.rows
}

/** Every file by its path, as bytes in a form that shows well when they differ. */
function readTree(folder: string): Record<string, Buffer> {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files.map(entry => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(folder.length + 1), readFileSync(path)]
    }),
  )
}
