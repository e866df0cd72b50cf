import type { ChildProcess } from 'node:child_process'
import {
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type CreateElicitationRequest,
  client,
  type NewSessionResponse,
  ndJsonStream,
  type ReadTextFileResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { expect, onTestFinished } from 'vitest'
import type { Sandbox } from '../cli.ts'
import { checkFrame, type Message } from './frames.ts'

export interface FakeEditorOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly capabilities?: ClientCapabilities
  /** The kind of the option that the person chooses; `cancelled` chooses none. By default the first. */
  readonly choose?: (asked: RequestPermissionRequest) => string | Promise<string>
  /** Answers for the person, with anything at all. */
  readonly permit?: () => unknown
  /** Gives a file, with anything at all; by default the text of its buffer. */
  readonly read?: () => unknown
  /** What the person fills in; undefined declines. */
  readonly fill?: (asked: CreateElicitationRequest) => Record<string, string> | undefined
}

export interface FakeEditor {
  readonly child: ChildProcess
  readonly agent: ClientContext
  /** Everything that was shown, of every session. */
  readonly updates: SessionUpdate[]
  readonly permissions: RequestPermissionRequest[]
  /** Open files with their text, as the editor has them: by absolute path. */
  readonly buffers: Map<string, string>
  /** What it was asked to read, in order. */
  readonly reads: string[]
  /** What it was asked to write, in order. */
  readonly writes: { readonly path: string; readonly content: string }[]
  /** Saves what it is asked to write; replace it for an editor that does something else. */
  save: (path: string, content: string) => void
  begin(): Promise<NewSessionResponse>
  prompt(sessionId: string, given: string | ContentBlock[]): Promise<string>
  /** What the agent said so far, without thoughts. */
  said(): string
  /** A line as it is, and the next answer to no request. */
  raw(line: string): Promise<Message>
}

/** An editor with the library's client: lines in, lines out, and every frame checked against the published schema. */
export async function fakeEditor(
  box: Sandbox,
  options: FakeEditorOptions = {},
): Promise<FakeEditor> {
  const child = box.start(['acp', ...(options.args ?? [])], { env: options.env })
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', text => (stderr += text))
  child.stdin!.on('error', () => {}) // it ended, as the test sees elsewhere
  const { stream, strays, faults } = checkedStream(child)
  onTestFinished(() => expect(faults, stderr).toEqual([]))

  const updates: SessionUpdate[] = []
  const permissions: RequestPermissionRequest[] = []
  const buffers = new Map<string, string>()
  const reads: string[] = []
  const writes: { path: string; content: string }[] = []
  const app = client({ name: 'fake editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', async ({ params }) => {
      permissions.push(params)
      if (options.permit) return options.permit() as RequestPermissionResponse
      const kind = (await options.choose?.(params)) ?? params.options[0]!.kind
      const option = params.options.find(each => each.kind === kind)
      return {
        outcome: option
          ? { outcome: 'selected', optionId: option.optionId }
          : { outcome: 'cancelled' },
      }
    })
    .onRequest('elicitation/create', ({ params }) => {
      const content = options.fill?.(params)
      return content ? { action: 'accept', content } : { action: 'decline' }
    })
    .onRequest('fs/read_text_file', ({ params: { path } }) => {
      reads.push(path)
      if (options.read) return options.read() as ReadTextFileResponse
      const content = buffers.get(path)
      if (content === undefined) throw new Error(`${path} is not open`)
      return { content }
    })
    .onRequest('fs/write_text_file', ({ params: { path, content } }) => {
      writes.push({ path, content })
      buffers.set(path, content)
      editor.save(path, content)
      return {}
    })
  const { agent } = app.connect(stream)
  const { capabilities = {} } = options
  const editor: FakeEditor = {
    child,
    agent,
    updates,
    permissions,
    buffers,
    reads,
    writes,
    save: () => {},
    begin: () => agent.request('session/new', { cwd: box.dir, mcpServers: [] }),
    async prompt(sessionId, given) {
      const prompt: ContentBlock[] =
        typeof given === 'string' ? [{ type: 'text', text: given }] : given
      const { stopReason } = await agent.request('session/prompt', { sessionId, prompt })
      return stopReason
    },
    said: () =>
      updates
        .map(update =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join(''),
    raw: line =>
      new Promise(resolve => {
        strays.push(resolve)
        child.stdin!.write(`${line}\n`)
      }),
  }
  await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities,
    clientInfo: { name: 'fake-editor', version: '1' },
  })
  return editor
}

/** Anything on stdout that is no allowed frame is a fault. */
function checkedStream(child: ChildProcess) {
  const methods = new Map<unknown, string>()
  const strays: ((message: Message) => void)[] = []
  const faults: string[] = []
  let rest = ''
  child.stdout!.setEncoding('utf8')
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      child.stdout!.on('data', (text: string) => {
        rest += text
        for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
          const line = rest.slice(0, end)
          rest = rest.slice(end + 1)
          if (take(line)) controller.enqueue(new TextEncoder().encode(`${line}\n`))
        }
      })
      child.stdout!.on('end', () => controller.close())
    },
  })
  /** False for an answer to no request, which the library knows nothing of. */
  function take(line: string): boolean {
    try {
      const message = JSON.parse(line)
      const isAnswer = message.method === undefined
      checkFrame(message, isAnswer ? methods.get(message.id) : undefined)
      if (!isAnswer || methods.has(message.id)) return true
      strays.shift()?.(message)
      return false
    } catch (error) {
      faults.push(`${line.slice(0, 2000)}\n${error}`)
      return true
    }
  }
  const output = new WritableStream<Uint8Array>({
    write(chunk) {
      for (const line of new TextDecoder().decode(chunk).split('\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line)
        if (method !== undefined && id !== undefined) methods.set(id, method)
      }
      child.stdin!.write(chunk)
    },
  })
  return { stream: ndJsonStream(output, input), strays, faults }
}
