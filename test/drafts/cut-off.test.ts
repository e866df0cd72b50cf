import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftSummary } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'

describe('a crash between the files and the draft that they come from', () => {
  test('a published draft is closed, and nothing is written again', async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    await product.call('write_text_file', { path: 'a.txt', content: 'two\n' })
    await product.ask('publish', { body: {} })
    await cutOff(product, ['close'])
    product.write('a.txt', 'three\n')
    await product.attach()
    expect(await states(product)).toEqual(['published'])
    expect(product.read('a.txt')).toBe('three\n')
    expect(closings(product)).toEqual(['published by recovery'])
  })

  test('an approved call is answered as it was', async () => {
    const product = await embedded({})
    const call = { path: 'new.txt', content: 'new\n' }
    const answer = await product.call('workspace_create_file', call, { approve: 'all' })
    const [before] = outcomes(product)
    await cutOff(product, ['outcome', 'close'])
    await product.attach()
    expect(answer).toMatchObject({ success: true, created: true })
    expect(outcomes(product)).toEqual([before])
    expect(await states(product)).toEqual(['published'])
  })

  test('an approved call that has written nothing yet is carried out', async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    const call = { path: 'a.txt', content: 'two\n', overwrite: true }
    const { approvalId } = await product.call('workspace_create_file', call, { approve: 'ask' })
    const [name] = readdirSync(folder(product, 'open'))
    const path = join(folder(product, 'open'), name!)
    await product.detach()
    const decision = { decision: 'approved', by: 'a person' }
    const line = { type: 'decide', decision, time: new Date().toISOString() }
    writeFileSync(path, `${readFileSync(path, 'utf8')}${JSON.stringify(line)}\n`)
    expect(approvalId).toBeDefined()
    expect(product.read('a.txt')).toBe('one\n')
    await product.attach()
    expect(product.read('a.txt')).toBe('two\n')
    expect(closings(product)).toEqual(['published by a person'])
  })

  test('a draft that nobody published stays open', async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    await product.call('write_text_file', { path: 'a.txt', content: 'two\n' })
    await product.detach()
    await product.attach()
    expect(await states(product)).toEqual(['open'])
    expect(product.read('a.txt')).toBe('one\n')
  })
})

/** The client stops, and the draft's log ends before the lines of these types. */
async function cutOff(product: Embedded, types: readonly string[]): Promise<void> {
  await product.detach()
  const [name] = readdirSync(folder(product, 'closed'))
  const kept = linesOf(join(folder(product, 'closed'), name!)).filter(
    ({ type }) => !types.includes(type),
  )
  const open = join(folder(product, 'open'), name!)
  renameSync(join(folder(product, 'closed'), name!), open)
  writeFileSync(open, kept.map(line => `${JSON.stringify(line)}\n`).join(''))
}

async function states(product: Embedded): Promise<string[]> {
  const { value } = await product.ask<readonly DraftSummary[]>('listDrafts')
  return value.map(({ state }) => state)
}

function closings(product: Embedded): string[] {
  return closedLines(product, 'close').map(({ how, by }) => `${how} by ${by}`)
}

function outcomes(product: Embedded): unknown[] {
  return closedLines(product, 'outcome').map(({ state }) => state)
}

function closedLines(product: Embedded, wanted: string) {
  const names = readdirSync(folder(product, 'closed'))
  const lines = names.flatMap(name => linesOf(join(folder(product, 'closed'), name)))
  return lines.filter(({ type }) => type === wanted)
}

function linesOf(path: string): { type: string; [field: string]: unknown }[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .flatMap(line => JSON.parse(line)) // lines that were stored together are one
}

function folder(product: Embedded, name: string): string {
  return join(product.stateRoot, 'drafts', name)
}
