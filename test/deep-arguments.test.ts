import { describe, expect, test } from 'vitest'
import { embedded, TOKEN } from './embedded.ts'
import { bodies, recorder, runTo, says } from './loop/running.ts'

const DEEP = '['.repeat(8000) + ']'.repeat(8000)

describe('arguments that are nested too deep', () => {
  test('of a model are refused in a result, and its run continues', async () => {
    const args = [`{"path": ${DEEP}}`, JSON.stringify(`{"path": ${DEEP}}`)]
    const calls = args.map(text => ({ name: 'read_file', arguments: text }))
    const { model } = recorder([{ text: '', calls }, says('I see.')])
    const { end, rows } = await runTo(await embedded({}, { model }), 'Read it.')
    expect(end.reason).toBe('final')
    expect(bodies(rows, 'tool_result')).toMatchObject(
      args.map(() => ({ content: expect.stringContaining('nested more than 100 deep') })),
    )
  })

  test.each(['read_file', 'edit_text_file', 'workspace_write_patch'])(
    'of a call of %s are refused, and the next call is answered',
    async tool => {
      const product = await embedded({ 'a.txt': 'a\n' })
      const body = { tool, arguments: { path: 'a.txt', x: JSON.parse(DEEP) } }
      const params = { workspaceId: product.workspaceId, sessionId: product.sessionId }
      expect(await product.server.handle(TOKEN, 'callTool', { params, body })).toMatchObject({
        value: { errorCode: 'INVALID_ARGUMENT' },
      })
      await new Promise(resolve => setTimeout(resolve, 50)) // until its row is written
      expect(await product.call('read_file', { path: 'a.txt' })).toMatchObject({ success: true })
    },
  )

  test('with a hundred thousand keys are refused at once', async () => {
    const product = await embedded({ 'a.txt': 'a\n' })
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i]))
    for (const args of [many, { path: 'a.txt', edits: [many] }])
      expect(await product.call('edit_text_file', args)).toMatchObject({
        errorCode: 'INVALID_ARGUMENT',
        message: expect.stringContaining('more than 1000 keys'),
      })
  })

  test('inside a list given as a string are refused too', async () => {
    const product = await embedded({})
    const operations = `[{"op": "set_range", "sheet": "S", "start": "A1", "values": ${DEEP}}]`
    const call = { path: 'a.xlsx', create_if_missing: true, operations }
    expect(await product.call('xlsx_operations', call)).toMatchObject({
      errorCode: 'INVALID_ARGUMENT',
    })
  })
})
