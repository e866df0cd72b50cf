import { LIMITS } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { ServerContext } from '../server-context.ts'
import { recallToolResultServer } from './server.ts'

verifies(
  'CONTRACT §4 recall_tool_result paged',
  'the pages put together are the whole result, and none is over the bound',
  async () => {
    const texts = fc
      .tuple(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '\\') }), fc.nat(60_000))
      .map(([piece, length]) => (piece || '漢').repeat(Math.ceil(length / (piece.length || 1))))
    await fc.assert(
      fc.asyncProperty(texts, async whole => {
        let read = ''
        for (let offset: number | null = 0; offset !== null; ) {
          const page = await recall(whole, offset)
          expect(Buffer.byteLength(page.text!)).toBeLessThanOrEqual(LIMITS.resultBytes)
          expect(page.fields).toMatchObject({ id: 'tc_1', offset, totalChars: whole.length })
          expect(page.fields.content).not.toMatch(/\p{Surrogate}/u)
          read += page.fields.content
          offset = page.fields.nextOffset
        }
        expect(read).toBe(whole)
      }),
      { numRuns: 30 },
    )
  },
)

test('a page says where to go on', async () => {
  const whole = 'x'.repeat(40_000)
  const { text, fields } = await recall(whole, 0)
  expect(text).toContain(
    `… ${40_000 - fields.nextOffset!} characters more; offset: ${fields.nextOffset}`,
  )
})

test('an unknown id and an offset beyond the end are refused', async () => {
  expect(await recallToolResultServer({ id: 'tc_2' }, holding('abc'))).toMatchObject({
    failure: { code: 'NOT_FOUND', message: expect.stringContaining('"tc_2"') },
  })
  expect(await recallToolResultServer({ id: 'tc_1', offset: 4 }, holding('abc'))).toMatchObject({
    failure: {
      code: 'NO_SUCH_REGION',
      message:
        'Cannot read the result tc_1 from offset 4: it has 3 characters. Send a smaller offset, or none to read from the start.',
    },
  })
})

async function recall(whole: string, offset: number) {
  const result = await recallToolResultServer({ id: 'tc_1', offset }, holding(whole))
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

/** The one part of its context that the tool touches. */
function holding(whole: string): ServerContext {
  const results = { read: async (id: string) => (id === 'tc_1' ? whole : undefined) }
  return { results } as unknown as ServerContext
}
