import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import type { ModelEvent } from '../../port/model.ts'
import { parseScript } from '../../testing/parse-script.ts'
import { createScripted } from './model.ts'

const EXAMPLE = `{"type":"user_message","message_id":"u-1","role":"user","text":"Translate"}
{"type":"assistant_message","message_id":"a-1","role":"assistant","text":"I'll read it.","tool_calls":[{"id":"tc-1","function":{"name":"read_file","arguments":"{\\"path\\":\\"data.xlsx\\"}"}}]}
{"type":"tool_result","message_id":"tr-1","tool_call_id":"tc-1","content":"Sheet: Sales"}
{"type":"assistant_message","message_id":"a-2","role":"assistant","text":"Done!"}
`

verifies('CONTRACT §7 log export', "ADR-0010's JSONL is replayed answer by answer", async () => {
  const model = createScripted({ answers: unwrap(parseScript(EXAMPLE)) })
  expect(await answer(model, 0)).toMatchObject([
    { type: 'text', text: "I'll read it." },
    { type: 'tool-call', name: 'read_file', arguments: '{"path":"data.xlsx"}' },
    { type: 'usage' },
    { type: 'finish', reason: 'tool-calls' },
  ])
  expect(await answer(model, 1)).toMatchObject([{ text: 'Done!' }, {}, { reason: 'stop' }])
  expect(await answer(model, 2)).toMatchObject([{ text: 'The script has ended.' }, {}, {}])
})

test('arguments may be written as an object', () => {
  const line =
    '{"type":"assistant_message","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}'
  expect(unwrap(parseScript(line))).toEqual([
    { text: '', calls: [{ name: 'f', arguments: '{"a":1}' }] },
  ])
})

test('a line that is not JSON is named', () => {
  expect(parseScript('{"type":"user_message"}\nnope')).toMatchObject({
    failure: { message: expect.stringContaining('line 2') },
  })
})

test('a demonstration says that it is one, in words that come one by one', async () => {
  const options = { notice: 'This is a script.', delayMs: 1 }
  const model = createScripted({ answers: [{ text: 'Hello there.', calls: [] }], ...options })
  const pieces = (await answer(model, 0)).flatMap(event =>
    event.type === 'text' ? event.text : [],
  )
  expect(pieces.join('')).toBe('This is a script.\n\nHello there.')
  expect(pieces.length).toBeGreaterThan(3)
})

test('a cancelled script ends with a failure, not with a throw', async () => {
  const model = createScripted({ answers: [{ text: 'Hello.', calls: [] }] })
  expect(await answer(model, 0, AbortSignal.abort())).toMatchObject([
    { type: 'failure', failure: { cause: 'aborted' } },
  ])
})

async function answer(
  model: ReturnType<typeof createScripted>,
  step: number,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const request = { system: '', messages: [], tools: [], step, signal }
  for await (const event of model.stream(request)) events.push(event)
  return events
}
