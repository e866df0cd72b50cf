import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { windowServer } from '../window-server.ts'
import { bodies, runTo } from './running.ts'

test('a message larger than the window keeps its head and its tail, and the middle is recalled by its id', async () => {
  const middle = 'a sentence that fills the page. '.repeat(4_000)
  const message = `HEAD of the task. ${middle}FACT middle is here. ${middle}TAIL of the task.`
  const server = await windowServer(8_000, (step, { messages }) => {
    const shown = messages.map(({ content }) => content).join('\n')
    const id = /"id": "(message-\d+)"/.exec(shown)?.[1]
    const offset = message.indexOf('FACT middle')
    return step === 0
      ? { text: '', call: ['recall_tool_result', { id, offset }] }
      : { text: 'Done.' }
  })
  const product = await embedded({ 'a.txt': 'a\n' }, { model: server.model })
  const { end, rows } = await runTo(product, message)

  expect(end.reason).toBe('final')
  expect(server.overWindow).toBe(0)
  const said = server.seen.at(-1)!.messages.find(({ content }) => content.startsWith('HEAD of the'))
  expect(said!.content).toMatch(/TAIL of the task\.$/)
  expect(bodies(rows, 'tool_result')[0]!.content).toContain('FACT middle is here')
})
