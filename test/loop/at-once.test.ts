import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, runTo, says, send, until, untilEnded } from './running.ts'

describe('things that happen at once', () => {
  test('of two messages sent at the same time one begins a run and the other steers it', async () => {
    let goOn = () => {}
    const bothSent = new Promise<void>(resolve => (goOn = resolve))
    const { model, requests } = recorder(
      [says('', call('list_files')), says('', call('list_files', {})), says('Done.')],
      { before: () => bothSent }, // otherwise the run might end before the second comes
    )
    const product = await embedded({ 'a.txt': 'a\n' }, { model })
    const sent = await Promise.all([send(product, 'First.'), send(product, 'Second.')])
    goOn()
    expect(sent.map(({ steered }) => steered).sort()).toEqual([false, true])
    await until(product, state => state === 'idle')
    const { rows } = await untilEnded(product)
    const starts = bodies(rows, 'run-start').length
    const ends = bodies(rows, 'run-end').length
    expect(starts).toBe(ends)
    const last = JSON.stringify(requests.at(-1)!.messages)
    expect(last).toContain('First.')
    expect(last).toContain('Second.')
  })

  verifies(
    'CONTRACT §7 call in flight reconciled',
    'a run that is resumed from several sides at once continues once',
    async () => {
      const { model } = recorder([
        says('', call('workspace_create_file', { path: 'new.txt', content: 'x\n' })),
        says('', call('workspace_create_file', { path: 'other.txt', content: 'y\n' })),
        says('Both stand.'),
      ])
      const product = await embedded({}, { model })
      const asks = { toolset: 'workspace', approve: 'rules' }
      expect((await runTo(product, 'Make two files.', asks)).end.reason).toBe('waiting')
      const params = { sessionId: product.sessionId }
      const resumeAll = () =>
        Promise.all(
          [1, 2, 3].map(() => product.ask('resume', { params, body: { approve: 'rules' } })),
        )
      for (const path of ['new.txt', 'other.txt']) {
        const approvalId = await nextApproval(product)
        const decided = product.ask('decide', {
          params: { approvalId },
          body: { decision: 'approved' },
        })
        await Promise.all([resumeAll(), decided])
        expect(product.read(path)).not.toBe('')
      }
      await until(product, state => state === 'idle')
      const { end, rows } = await untilEnded(product)
      expect(end).toMatchObject({ reason: 'final', closing: expect.stringMatching(/^2 files/) })
      expect(bodies(rows, 'tool_result')).toHaveLength(2)
      expect(bodies(rows, 'assistant_message')).toHaveLength(3)
    },
  )
})

async function nextApproval(product: Embedded): Promise<string> {
  for (;;) {
    const { value } = await product.ask('listApprovals')
    if (value.length > 0) return value[0].id
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
