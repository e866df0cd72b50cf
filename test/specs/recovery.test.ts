import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { creates } from './wrong-calls/creates.ts'
import { patches } from './wrong-calls/patches.ts'
import { reads } from './wrong-calls/reads.ts'
import { workshop } from './wrong-calls/workshop.ts'
import { FILES, type WrongCall } from './wrong-calls/wrong-call.ts'

const WRONG_CALLS: readonly WrongCall[] = [...patches, ...reads, ...creates, ...workshop]

describe('a refused call can be corrected in one more call', () => {
  test('the table has forty refused calls and more', () => {
    expect(WRONG_CALLS.filter(({ code }) => code !== null).length).toBeGreaterThanOrEqual(40)
  })

  test.each(WRONG_CALLS.map(wrong => [`${wrong.tool}: ${wrong.title}`, wrong] as const))(
    '%s',
    async (_, wrong) => {
      const product = await embedded(FILES)
      await product.call('workspace_read_file', { path: 'src/app.ts' })
      await wrong.before?.(product)
      const answer = await product.call(wrong.tool, wrong.args)
      expect(answer.errorCode, answer.message).toBe(wrong.code)
      const last = wrong.code === null ? answer : await sendNext(product, wrong, answer)
      expect(last, last.message).toMatchObject({ success: true, ...wrong.expected })
      if (wrong.warned) expect(last.warnings.join('\n')).toContain(wrong.warned)
      for (const [path, text] of Object.entries(wrong.written ?? {}))
        expect(product.read(path)).toBe(text)
    },
  )
})

test('an approval that does not exist: the answer names the open ones', async () => {
  const product = await embedded(FILES)
  const pending = await product.call(
    'workspace_create_file',
    { path: 'a.txt', content: 'a' },
    { approve: 'ask' },
  )
  const decide = (approvalId: string) =>
    product.ask('decide', { params: { approvalId }, body: { decision: 'approved' } })
  const { status, value } = await decide('apr_0')
  expect(status).toBe(404)
  const [, open] = /Open are: (\w+)/.exec(value.message)!
  expect(open).toBe(pending.approvalId)
  expect((await decide(open!)).value.outcome.outcome.envelope).toMatchObject({ success: true })
})

async function sendNext(product: Embedded, wrong: WrongCall, answer: { message: string }) {
  const { tool = wrong.tool, args } = wrong.next!(answer, wrong.args)
  expect(args, answer.message).toBeDefined()
  return product.call(tool, args)
}
