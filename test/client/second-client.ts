import fs from 'node:fs'
import { failed, type Json, openSecondFolder, sha256 } from './second-folder.ts'

export interface SecondClientOptions {
  readonly origin: string
  readonly token: string
  readonly key: string
  readonly dir: string
  /** The folder that keeps outcomes over a restart. */
  readonly stateFile: string
}

/** A client written from docs/client-protocol.md alone: it shares no code with the product. */
export async function startSecondClient({
  origin,
  token,
  key,
  dir,
  stateFile,
}: SecondClientOptions) {
  const folder = openSecondFolder(dir)
  const authorization = `Bearer ${token}`
  const send = (method: string, path: string, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = { authorization, 'content-type': 'application/json' }
    return fetch(`${origin}/api${path}`, { method, headers, body })
  }
  const post = (path: string, body: unknown) => send('POST', path, JSON.stringify(body))

  const outcomes = new Map<string, Json>()
  if (fs.existsSync(stateFile))
    for (const line of fs.readFileSync(stateFile, 'utf8').split('\n').filter(Boolean))
      outcomes.set(JSON.parse(line).id, JSON.parse(line).state)
  const announced = await post('/workspaces', { key, name: 'second' })
  const base = `/workspaces/${((await announced.json()) as Json).workspaceId}`
  const abort = new AbortController()
  const answers = new Map<string, Promise<Json>>()
  const unposted = new Map<string, Json>()

  /** Outcomes that could not be posted stay, and are posted when the stream is back. */
  async function postAnswers() {
    const all = [...unposted.values()]
    if (all.length === 0 || !(await post(`${base}/link/answers`, { answers: all })).ok) return
    for (const { id } of all) unposted.delete(id)
  }

  async function take({ id, method, params }: Json) {
    if (!answers.has(id)) answers.set(id, answer(method, params).catch(internal))
    unposted.set(id, { id, result: await answers.get(id) })
    if (answers.size > 200) answers.delete(answers.keys().next().value!)
    await postAnswers()
  }

  async function answer(method: string, params: Json): Promise<Json> {
    if (method === 'source') return source(params)
    if (method === 'files') return ok(folder.list(params))
    if (method === 'tool-call') return ok(await toolCall(params))
    if (method === 'tool-state') return ok(outcomes.get(params.toolCallId) ?? null)
    return refused('UNKNOWN_TOOL', 'invalid', `This client does not know "${method}".`)
  }

  async function source({ docPath, known }: Json) {
    const file = folder.read(docPath)
    if (!file) return refused('NOT_FOUND', 'missing', `There is no "${docPath}".`)
    const hash = sha256(file.bytes)
    if (hash !== known) await send('PUT', `${base}/blobs/${hash}`, file.bytes)
    return ok({ path: file.path, docPath, sha256: hash, sizeBytes: file.bytes.length })
  }

  async function toolCall({ turn, policy, warnings = [] }: Json) {
    const { sessionId, conversationId, turnId } = turn
    const [{ toolCallId, name, argumentsJson }] = turn.toolCalls
    if (outcomes.has(toolCallId)) return outcomes.get(toolCallId)
    const isKnown = name === 'workspace_create_file'
    const args = JSON.parse(argumentsJson)
    const done = !isKnown
      ? failed('UNKNOWN_TOOL', 'invalid', `this client has no tool "${name}".`)
      : policy === 'all'
        ? folder.create(args)
        : failed('DENIED', 'denied', 'this client has nobody to ask.')
    const ids = { sessionId, conversationId, turnId, toolCallId }
    const errors = done.success ? [] : [done.message]
    const envelope = { ...done, errors, warnings, ...ids }
    const state = { outcome: { envelope, text: done.message } }
    fs.appendFileSync(stateFile, `${JSON.stringify({ id: toolCallId, state })}\n`)
    outcomes.set(toolCallId, state)
    if (done.success) await moveHead(done, toolCallId)
    if (isKnown) await logExecuted(turn, args, done)
    return state
  }

  async function moveHead({ path, docPath, sha256: hash, sizeBytes }: Json, toolCallId: string) {
    await send('PUT', `${base}/blobs/${hash}`, folder.read(path)!.bytes)
    const heads = [{ docPath, path, sha256: hash, sizeBytes }]
    await post(`${base}/heads`, { changeSetId: `cs_${toolCallId}`, heads })
  }

  async function logExecuted(turn: Json, { path, overwrite = false }: Json, done: Json) {
    const fields = {
      ...{ SessionId: turn.sessionId, ConversationId: turn.conversationId, TurnId: turn.turnId },
      ...{ Path: done.path ?? path, Overwrite: overwrite, Success: done.success },
      ...{ ErrorCode: done.errorCode, SizeBytes: done.sizeBytes ?? null, Hash: done.hash ?? null },
    }
    const event = { type: 'log', event: 'Tool.CreateFile.Executed', fields }
    await post(`${base}/link/events`, { events: [event] })
  }

  async function listen(onOpen: () => void) {
    const headers = { authorization, accept: 'text/event-stream' }
    const link = await fetch(`${origin}/api${base}/link`, { headers, signal: abort.signal })
    onOpen()
    await postAnswers()
    let text = ''
    for await (const chunk of link.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = event.match(/^data: ?.*$/gm)?.map(line => line.replace(/^data: ?/, ''))
        if (data) take(JSON.parse(data.join('\n'))).catch(() => {}) // posted when the stream is back
      }
    }
  }

  async function stay(onOpen: () => void) {
    for (let wait = 50; !abort.signal.aborted; wait = Math.min(wait * 2, 2000)) {
      await listen(onOpen).catch(() => {}) // broken: open it again
      await new Promise(resolve => setTimeout(resolve, wait))
    }
  }

  let staying = Promise.resolve()
  await new Promise<void>(resolve => (staying = stay(resolve)))
  return {
    async close() {
      abort.abort()
      await staying
    },
  }
}

const ok = (value: unknown) => ({ ok: true, value })

function refused(code: string, kind: string, message: string) {
  return { ok: false, failure: { code, kind, message, errors: [message] } }
}

function internal(error: unknown) {
  return refused('INTERNAL_ERROR', 'internal', `This client failed: ${error}`)
}
