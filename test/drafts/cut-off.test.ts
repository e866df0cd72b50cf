import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Approval, DraftSummary } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { edit, review } from './draft-calls.ts'

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

  test('a patch that was moved onto a changed file is answered as it was', async () => {
    const text = 'a\nb\nc\nd\ne\nf\n'
    const product = await embedded({ 'a.txt': text })
    const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
    const patch = patchOf(file.version, [2, 'b', 'B'], [5, 'e', 'E'])
    const { approvalId } = await product.call('workspace_write_patch', patch, { approve: 'ask' })
    product.write('a.txt', `top\n${text}`)
    await approve(product, approvalId)
    const [before] = outcomes(product)
    expect(JSON.stringify(before)).toContain('"rebased":true')
    await cutOff(product, ['outcome', 'close'])
    await product.attach()
    expect(product.read('a.txt')).toBe('top\na\nB\nc\nd\nE\nf\n')
    expect(outcomes(product)).toEqual([before])
  })

  test('a call with a refused change is answered as it was', async () => {
    const product = await embedded({ 'a.txt': 'a\nb\nc\nd\n' })
    const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
    const patch = patchOf(file.version, [1, 'a', 'A'], [3, 'c', 'C'])
    const { approvalId } = await product.call('workspace_write_patch', patch, { approve: 'ask' })
    const { value } = await product.ask<readonly Approval[]>('listApprovals', {})
    const refused = [{ changeId: value[0]!.changes[1]!.id, reason: 'not now' }]
    await approve(product, approvalId, refused)
    const [before] = outcomes(product)
    expect(JSON.stringify(before)).toContain('not now')
    await cutOff(product, ['outcome', 'close'])
    await product.attach()
    expect(product.read('a.txt')).toBe('A\nb\nc\nd\n')
    expect(outcomes(product)).toEqual([before])
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

  test('a part that was written is known, and the rest stays open', async () => {
    const product = await inParts()
    await product.detach()
    cutOpen(product, ({ type }) => type !== 'published')
    await product.attach()
    expect(await leftIn(product)).toEqual(['line 2'])
    await product.ask('publish', { body: {} })
    expect(product.read('a.txt')).toBe('ONE\nTWO\n')
  })

  test('a part that was about to be written when nothing was yet is undecided', async () => {
    const product = await embedded({ 'a.txt': 'one\ntwo\n' })
    await edit(product, 'a.txt', 'one', 'ONE')
    const [change] = await review(product)
    const [name] = readdirSync(folder(product, 'open'))
    await product.detach()
    const part = {
      changeSetId: `cs_${name!.slice(4).split('.')[0]}`,
      changeIds: [change!.id],
      settled: [],
    }
    const line = { type: 'publish', ...part, undecided: 1, by: 'me', time: '2026-01-31T12:00:00Z' }
    const path = join(folder(product, 'open'), name!)
    writeFileSync(path, `${readFileSync(path, 'utf8')}${JSON.stringify(line)}\n`)
    await product.attach()
    expect(await leftIn(product)).toEqual(['line 1'])
    await product.ask('publish', { body: {} })
    expect(product.read('a.txt')).toBe('ONE\ntwo\n')
    expect(await states(product)).toEqual(['published'])
  })

  test('a part that was undone leaves the draft', async () => {
    const product = await inParts()
    expect((await product.ask('undo', { body: {} })).status).toBe(200)
    await product.detach()
    cutOpen(product, ({ type }) => type !== 'taken-back')
    await product.attach()
    expect(product.read('a.txt')).toBe('one\ntwo\n')
    expect(await leftIn(product)).toEqual(['line 2'])
    await product.ask('publish', { body: {} })
    expect(product.read('a.txt')).toBe('one\nTWO\n')
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

/** Each change: a line, what it is and what it becomes. */
function patchOf(version: string, ...changes: readonly (readonly [number, string, string])[]) {
  const lines = changes.map(([line, from, to]) => ({
    operation: 'replace',
    startLine: line,
    endLine: line,
    expectedOriginalLines: [from],
    newLines: [to],
  }))
  return { files: [{ docPath: 'a.txt', originalSha256: version, changes: lines }] }
}

async function approve(product: Embedded, approvalId: string, refused: readonly unknown[] = []) {
  const body = { decision: 'approved', by: 'a person', refused }
  const decided = await product.ask('decide', { params: { approvalId }, body })
  expect(decided.status, JSON.stringify(decided.value)).toBe(200)
}

/** The first of two changes is published. */
async function inParts(): Promise<Embedded> {
  const product = await embedded({ 'a.txt': 'one\ntwo\n' })
  await edit(product, 'a.txt', 'one', 'ONE')
  await edit(product, 'a.txt', 'two', 'TWO')
  const [first] = await review(product)
  expect((await product.ask('publish', { body: { only: [first!.id] } })).status).toBe(200)
  expect(product.read('a.txt')).toBe('ONE\ntwo\n')
  return product
}

async function leftIn(product: Embedded): Promise<string[]> {
  return (await review(product)).map(({ place }) => place)
}

/** The open draft's log loses the other lines. */
function cutOpen(product: Embedded, isKept: (line: { type: string }) => boolean): void {
  const [name] = readdirSync(folder(product, 'open'))
  const path = join(folder(product, 'open'), name!)
  const kept = linesOf(path).filter(isKept)
  writeFileSync(path, kept.map(line => `${JSON.stringify(line)}\n`).join(''))
}

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
    .flatMap(line => JSON.parse(line)) // lines that were stored together count as one
}

function folder(product: Embedded, name: string): string {
  return join(product.stateRoot, 'drafts', name)
}
