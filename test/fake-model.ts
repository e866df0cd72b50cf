import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface FakeCall {
  readonly name: string
  readonly arguments: unknown
}

export interface FakeStep {
  readonly text: string
  /** What the model thinks before it says anything. */
  readonly thoughts?: string
  readonly calls?: readonly FakeCall[]
  /** In how many deltas the text comes, a moment apart; by default in one. */
  readonly pieces?: number
  /** The reason for the end of the answer, if it does not end by itself. */
  readonly finish?: string
}

/** An OpenAI-compatible endpoint on loopback that plays steps; it keeps no state: the step is the count of answers so far. */
export interface FakeModel {
  readonly baseUrl: string
  /** Called with the step before it is answered; false leaves the request hanging. */
  onRequest: (step: number) => boolean | Promise<boolean>
  /** Replaces the scripted answer: a status and its fields. */
  refuse: (request: number) => Refusal | undefined
  /** Answers a request whatever the script says. */
  answerTo: (request: FakeRequest) => FakeStep | undefined
  /** The script that a request is answered from; by default the one given at first. */
  scriptFor: (request: FakeRequest) => readonly FakeStep[]
  /** The provider's id of a call; by default it repeats with every step, as some providers' do. */
  callId: (step: number, index: number) => string
  /** Whether its server says that it sees pictures; by default it says nothing. */
  sees?: boolean
  readonly requests: readonly FakeRequest[]
}

export interface FakeRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly model: string
  /** The header, not a field of the body. */
  readonly authorization: string | undefined
}

export interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message: string
}

export async function fakeModel(steps: readonly FakeStep[]): Promise<FakeModel> {
  const requests: FakeRequest[] = []
  const server = createServer(async (request, response) => {
    if (request.url?.endsWith('/models'))
      return void response.end(JSON.stringify({ data: [{ id: 'fake', ...seeing(model) }] }))
    if (request.url === '/api/show')
      return void response.end('{"capabilities":["completion","tools"]}')
    if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end('{}')
    const body = JSON.parse(await readAll(request))
    requests.push({ ...body, authorization: request.headers.authorization })
    const refusal = model.refuse(requests.length - 1)
    if (refusal) {
      response.writeHead(refusal.status, {
        'content-type': 'application/json',
        ...refusal.headers,
      })
      return void response.end(JSON.stringify({ error: { message: refusal.message } }))
    }
    const step = body.messages.filter(
      (message: { role: string }) => message.role === 'assistant',
    ).length
    const answer = model.answerTo(body) ?? model.scriptFor(body)[step]
    if (await model.onRequest(step))
      play(response, answer ?? { text: 'The script has ended.' }, step, model.callId)
  })
  server.keepAliveTimeout = 0 // a request must not hit a connection that is being dropped
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const model: FakeModel = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    onRequest: () => true,
    refuse: () => undefined,
    answerTo: () => undefined,
    scriptFor: () => steps,
    callId: (_, index) => `call_${index}`,
    requests,
  }
  return model
}

function seeing({ sees }: FakeModel) {
  return sees && { architecture: { input_modalities: ['text', 'image'] } }
}

async function play(
  response: ServerResponse,
  { text, thoughts, calls = [], finish, pieces = 1 }: FakeStep,
  step: number,
  callId: FakeModel['callId'],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: unknown, reason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: `c${step}`, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
    )
  const size = Math.ceil(text.length / pieces)
  for (const word of thoughts?.match(/\S+\s*/g) ?? []) send({ reasoning_content: word })
  send({ role: 'assistant', content: text.slice(0, size) })
  for (let piece = 1; piece < pieces; piece++) {
    await new Promise(resolve => setTimeout(resolve, 5))
    send({ content: text.slice(piece * size, (piece + 1) * size) })
  }
  for (const [index, call] of calls.entries())
    send({
      tool_calls: [
        {
          index,
          id: callId(step, index),
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        },
      ],
    })
  send({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'))
  const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }
  response.write(`data: ${JSON.stringify({ id: `c${step}`, choices: [], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
