import type { Reply } from './fault-server.ts'

/** One answer, "Hello" and a call of `read {"path":"a"}`, as each provider streams it. */
export const dialects: Readonly<Record<'openai' | 'anthropic' | 'google', readonly string[]>> = {
  openai: named([
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm1' } },
    { type: 'response.output_text.delta', item_id: 'm1', delta: 'Hello' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm1' } },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', id: 'f1', call_id: 'c1', name: 'read', arguments: '' },
    },
    {
      type: 'response.function_call_arguments.delta',
      item_id: 'f1',
      output_index: 1,
      delta: '{"path":"a"}',
    },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: {
        type: 'function_call',
        id: 'f1',
        call_id: 'c1',
        name: 'read',
        arguments: '{"path":"a"}',
        status: 'completed',
      },
    },
    {
      type: 'response.completed',
      response: {
        incomplete_details: null,
        usage: {
          input_tokens: 11,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens: 3,
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    },
  ]),
  anthropic: named([
    {
      type: 'message_start',
      message: {
        id: 'msg',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 7, cache_read_input_tokens: 4, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's1g' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 2,
      delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' },
    },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]),
  google: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] },
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 's1g' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 11,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 3,
        totalTokenCount: 14,
      },
    },
  ].map(chunk => `data: ${JSON.stringify(chunk)}\n\n`),
}

/** The same answers, cut at the output limit in the middle of the call; Google sends no call that is not whole. */
export const cutDialects: typeof dialects = {
  openai: replaced(dialects.openai, [
    ['\\"a\\"}', '\\"'],
    ['"status":"completed"', '"status":"incomplete"'],
    [/response\.completed/g, 'response.incomplete'],
    ['"incomplete_details":null', '"incomplete_details":{"reason":"max_output_tokens"}'],
  ]),
  anthropic: replaced(dialects.anthropic, [
    ['\\"a\\"}', '\\"'],
    ['"stop_reason":"tool_use"', '"stop_reason":"max_tokens"'],
  ]),
  google: replaced(dialects.google, [['"finishReason":"STOP"', '"finishReason":"MAX_TOKENS"']]),
}

/** These many events of the answer, and a polite end. */
export function play(chunks: readonly string[]): Reply {
  return response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
}

function replaced(
  events: readonly string[],
  changes: readonly (readonly [string | RegExp, string])[],
): string[] {
  return events.map(event => changes.reduce((text, [from, to]) => text.replace(from, to), event))
}

export function named(events: readonly ({ type: string } & Record<string, unknown>)[]): string[] {
  return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}
