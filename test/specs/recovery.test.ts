import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { COMMON_CODES } from '@filewright/protocol'
import { catalog, findTool } from '@filewright/tools'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { creates } from './wrong-calls/creates.ts'
import { patches } from './wrong-calls/patches.ts'
import { reads } from './wrong-calls/reads.ts'
import { shapes } from './wrong-calls/shapes.ts'
import { workshop } from './wrong-calls/workshop.ts'
import { FILES, type WrongCall } from './wrong-calls/wrong-call.ts'

const WRONG_CALLS: readonly WrongCall[] = [...patches, ...reads, ...creates, ...workshop, ...shapes]

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
      if (wrong.code) expect(kindsOf(wrong.tool, wrong.code)).toContain(answer.kind)
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
  const [, open] = /Open approvals: (\w+)/.exec(value.message)!
  expect(open).toBe(pending.approvalId)
  expect((await decide(open!)).value.outcome.outcome.envelope).toMatchObject({ success: true })
})

verifies(
  'CONTRACT §3 another kind declared',
  'a tool that uses a code with an unusual kind declares it, with the reason',
  async () => {
    const product = await embedded({ ...FILES, 'b.bin': new Uint8Array([0, 1]), 'fixed.txt': 'x' })
    chmodSync(join(product.dir, 'fixed.txt'), 0o444)
    const fixed = await product.call('workspace_read_file', { path: 'fixed.txt' })
    const binary = { docPath: 'b.bin', originalSha256: 'deadbeef', changes: [] }
    const patch = {
      docPath: 'fixed.txt',
      originalSha256: fixed.file.version,
      changes: [{ operation: 'insert', afterLine: 0, newLines: ['y'] }],
    }
    const content = { content: 'y', overwrite: true }
    const calls: [string, object, string][] = [
      ['workspace_read_file', { path: 'b.bin' }, 'unsupported'],
      ['workspace_write_patch', { files: [{ ...binary, bom: false }] }, 'unsupported'],
      ['workspace_write_patch', { files: [patch] }, 'denied'],
      ['workspace_create_file', { path: 'fixed.txt', ...content }, 'denied'],
    ]
    for (const [tool, args, kind] of calls) {
      const answer = await product.call(tool, args)
      expect(answer, answer.message).toMatchObject({ success: false, kind })
      const other = findTool(tool)!.declaration.otherKinds?.[answer.errorCode]
      expect(other?.kind).toBe(kind)
      expect(other?.because).toMatch(/^[A-Z].*\.$/)
    }
    for (const { declaration } of catalog)
      for (const code of Object.keys(declaration.otherKinds ?? {}))
        expect(kindsOf(declaration.name, code)[0], `${declaration.name} ${code}`).toBeDefined()
  },
)

/** The usual kind of a code, and the other one that its tool declares. */
function kindsOf(tool: string, code: string): (string | undefined)[] {
  const declaration = findTool(tool)?.declaration
  const usual = declaration?.failures[code] ?? (COMMON_CODES as Record<string, string>)[code]
  return [usual, declaration?.otherKinds?.[code]?.kind]
}

async function sendNext(product: Embedded, wrong: WrongCall, answer: { message: string }) {
  const { tool = wrong.tool, args } = wrong.next!(answer, wrong.args)
  expect(args, answer.message).toBeDefined()
  return product.call(tool, args)
}
