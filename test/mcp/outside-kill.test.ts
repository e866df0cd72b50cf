import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { finished } from '../cli.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { isRunning, noteStep, outsideBox, questionIn, RUN } from './outside/box.ts'

const STEPS = [noteStep('one'), { text: 'Done.' }]

verifies(
  ['CONTRACT §9 mcp add', 'CONTRACT §7 call in flight reconciled'],
  'a call cut by kill -9 is recorded as unknown and never sent again, whether a person or a rule allowed it',
  async () => {
    const { box, run, env, calls, lastResult, folder, model } = await outsideBox(STEPS, ['hang'])
    const asked = await run(RUN)
    await run(['approvals', 'answer', questionIn(asked), '2']) // always: the next run asks nobody
    const cut = async (args: readonly string[], count: number) => {
      const child = box.start(args, { env })
      await vi.waitFor(() => expect(calls()).toHaveLength(count), PATIENCE)
      child.kill('SIGKILL')
      await finished(child)
      await expect.poll(() => isRunning(folder), PATIENCE).toBe(false)
    }
    await cut(['resume'], 1)
    const resumed = await run(['resume'])
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') })
    expect(lastResult()).toMatch(
      /^OUTCOME_UNKNOWN: The process that made the call ended, so it is unknown whether notes__note/,
    )
    expect(resumed.stdout).toContain('1 call to MCP servers, whose own changes are not counted')

    await cut(RUN, 2)
    expect((await run(['resume'])).code).toBe(0)
    expect(lastResult()).toContain('OUTCOME_UNKNOWN')
    expect(calls()).toHaveLength(2)
    expect(model.requests).toHaveLength(4)
  },
)

test('a run killed -9 while a person is asked asks the same question, and the call is sent once', async () => {
  const { box, run, env, calls } = await outsideBox(STEPS)
  const child = box.start(['rpc'], { env }) // it stays, where a run without a terminal would end by itself
  const params = { text: 'Take notes.', model: 'fake' }
  const asking = { jsonrpc: '2.0', id: 1, method: 'WorkshopRunAgent', params }
  child.stdin!.write(`${JSON.stringify(asking)}\n`)
  await vi.waitFor(async () => {
    const { stdout } = await run(['approvals'])
    expect(stdout).toContain('qst_')
  }, PATIENCE)
  expect(child.exitCode).toBe(null)
  child.kill('SIGKILL')
  await finished(child)
  const again = await run(['resume'])
  expect(again.code).toBe(9)
  expect(calls()).toEqual([])
  await run(['approvals', 'answer', questionIn(again), '1'])
  expect((await run(['resume'])).code).toBe(0)
  expect(calls()).toHaveLength(1)
})

test('a yes that was given while nobody ran is kept: the call is sent once, by whoever resumes', async () => {
  const { box, run, env, calls, folder, lastResult } = await outsideBox(STEPS)
  const asked = await run(RUN)
  await run(['approvals', 'answer', questionIn(asked), '1'])
  expect(calls()).toEqual([])
  writeFileSync(join(folder, 'silent'), '') // the server hangs at its start, so this process dies before the call
  const child = box.start(['resume'], { env })
  await new Promise(resolve => setTimeout(resolve, 1500))
  child.kill('SIGKILL')
  await finished(child)
  expect(calls()).toEqual([])
  rmSync(join(folder, 'silent'))
  expect((await run(['approvals'])).stderr).toContain('Nothing waits for a person.')
  expect((await run(['resume'])).code).toBe(0)
  expect(calls()).toHaveLength(1)
  expect(lastResult()).toContain('Kept: one')
})

test('a cancel while a call is under way ends the run; the outcome is unknown, and the server is told', async () => {
  const { box, run, env, calls, kept } = await outsideBox(STEPS, ['hang'])
  const asked = await run(RUN)
  await run(['approvals', 'answer', questionIn(asked), '1'])
  const child = box.start(['resume'], { env })
  await vi.waitFor(() => expect(calls()).toHaveLength(1), PATIENCE)
  child.kill('SIGINT')
  expect((await finished(child)).code).toBe(130)
  expect(kept('cancelled.log')).toHaveLength(1)
  expect((await run(['log'])).stdout).toContain(
    'OUTCOME_UNKNOWN: The call was cancelled while it was under way',
  )
})
