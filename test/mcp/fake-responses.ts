import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { FakeStep } from '../fake-model.ts'

/** A model on loopback that speaks OpenAI's Responses, as codex asks; the step is the count of results so far. */
export interface FakeResponses {
  readonly baseUrl: string
  /** Everything that it was told in its last request. */
  heard(): string
}

/** @param namespace where codex lists the tools of a server */
export async function fakeResponses(
  steps: readonly FakeStep[],
  namespace: string,
): Promise<FakeResponses> {
  let last = '[]'
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    if (!request.url?.endsWith('/responses')) return void response.writeHead(404).end('{}')
    const { input } = JSON.parse(text) as { input: readonly { readonly type: string }[] }
    last = JSON.stringify(input)
    const step = input.filter(({ type }) => type === 'function_call_output').length
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (type: string, fields: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
    send('response.created', { response: { id: `r${step}` } })
    send('response.output_item.done', {
      output_index: 0,
      item: toItem(steps[step], step, namespace),
    })
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    send('response.completed', { response: { id: `r${step}`, usage } })
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, heard: () => last }
}

function toItem(step: FakeStep | undefined, at: number, namespace: string): object {
  const call = step?.calls?.[0]
  if (!call) {
    const content = [{ type: 'output_text', text: step?.text ?? 'Done.' }]
    return { type: 'message', role: 'assistant', id: `m${at}`, content }
  }
  const args = JSON.stringify(call.arguments)
  return {
    type: 'function_call',
    id: `f${at}`,
    call_id: `c${at}`,
    namespace,
    name: call.name,
    arguments: args,
  }
}
