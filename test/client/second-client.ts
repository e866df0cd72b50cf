import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** A client written from docs/client-protocol.md alone: it shares no code with the product. */
export interface SecondClientOptions {
  readonly origin: string
  readonly token: string
  readonly key: string
  readonly dir: string
  /** Where outcomes are kept over a restart. */
  readonly stateFile: string
}

// biome-ignore lint/suspicious/noExplicitAny: a client of another make reads and writes JSON
type Json = any

export async function startSecondClient(options: SecondClientOptions) {
  const { origin, token, key, stateFile } = options
  const root = fs.realpathSync(options.dir)
  const abort = new AbortController()
  const send = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
  const post = (path: string, body: unknown) => send('POST', path, JSON.stringify(body))

  const outcomes = new Map<string, Json>()
  if (fs.existsSync(stateFile))
    for (const line of fs.readFileSync(stateFile, 'utf8').split('\n').filter(Boolean))
      outcomes.set(JSON.parse(line).id, JSON.parse(line).state)

  const announced = await post('/workspaces', { key, name: 'second' })
  const base = `/workspaces/${((await announced.json()) as Json).workspaceId}`
  const answers = new Map<string, Promise<Json>>()
  const unposted = new Map<string, Json>()
  let isFirst = (_: unknown) => {}
  const attached = new Promise(resolve => (isFirst = resolve))

  async function postAnswers() {
    const all = [...unposted.values()]
    if (all.length === 0 || !(await post(`${base}/link/answers`, { answers: all })).ok) return
    for (const { id } of all) unposted.delete(id)
  }

  async function take({ id, method, params }: Json) {
    if (!answers.has(id)) answers.set(id, answer(method, params))
    unposted.set(id, { id, result: await answers.get(id) })
    if (answers.size > 200) answers.delete(answers.keys().next().value!)
    await postAnswers()
  }

  async function answer(method: string, params: Json): Promise<Json> {
    try {
      if (method === 'source') return await source(params)
      if (method === 'files') return ok(files(params))
      if (method === 'tool-call') return ok(await toolCall(params))
      if (method === 'tool-state') return ok(outcomes.get(params.toolCallId) ?? null)
      return refused('UNKNOWN_TOOL', 'invalid', `This client does not know "${method}".`)
    } catch (error) {
      return refused('INTERNAL_ERROR', 'internal', `This client failed: ${error}`)
    }
  }

  async function source({ docPath, known }: Json) {
    const place = locate(docPath)
    if (!place?.isFile) return refused('NOT_FOUND', 'missing', `There is no "${docPath}".`)
    const bytes = fs.readFileSync(join(root, place.path))
    if (sha256(bytes) !== known) await send('PUT', `${base}/blobs/${sha256(bytes)}`, bytes)
    return ok({ path: place.path, docPath, sha256: sha256(bytes), sizeBytes: bytes.length })
  }

  function files({ after = '', limit }: Json) {
    const all = fs
      .readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll(sep, '/'),
      )
      .filter(path => !/(^|\/)(\.git|node_modules)\//.test(path))
      .sort((a, b) => (a < b ? -1 : 1))
    const left = all.filter(path => path > after)
    const page = left.slice(0, limit)
    const entries = page.map(path => {
      const { size, mtime } = fs.statSync(join(root, path))
      return { path, docPath: fold(path), sizeBytes: size, modified: mtime, version: null }
    })
    return { files: entries, total: all.length, next: left.length > limit ? page.at(-1) : null }
  }

  async function toolCall({ turn, policy, warnings = [] }: Json) {
    const [{ toolCallId, name, argumentsJson }] = turn.toolCalls
    if (outcomes.has(toolCallId)) return outcomes.get(toolCallId)
    const { sessionId, conversationId, turnId } = turn
    const args = JSON.parse(argumentsJson)
    const done =
      name !== 'workspace_create_file'
        ? failed('UNKNOWN_TOOL', 'invalid', `This client has no tool "${name}".`)
        : policy !== 'all'
          ? failed('DENIED', 'denied', 'Nothing was written: this client has nobody to ask.')
          : create(args)
    const errors = done.success ? [] : [done.message]
    const ids = { sessionId, conversationId, turnId, toolCallId }
    const state = {
      outcome: { envelope: { ...done, errors, warnings, ...ids }, text: done.message },
    }
    fs.appendFileSync(stateFile, `${JSON.stringify({ id: toolCallId, state })}\n`, {
      flush: true,
    } as object)
    outcomes.set(toolCallId, state)
    if (done.success) await moveHead(done, toolCallId)
    if (name === 'workspace_create_file') await logExecuted(turn, args, done)
    return state
  }

  function create({ path: given, content, overwrite = false }: Json): Json {
    const place = locate(given)
    if (!place)
      return failed(
        'InvalidPath',
        'invalid',
        `Nothing was written: "${given}" does not lie inside the folder.`,
      )
    const { path, isFile, isFolder } = place
    if (isFolder)
      return failed('InvalidPath', 'invalid', `Nothing was written: "${path}" is a folder.`)
    if (isFile && !overwrite)
      return failed('FileExists', 'conflict', `Nothing was written: "${path}" exists.`)
    const bytes = Buffer.from(content.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))
    if (bytes.length > 10_485_760)
      return failed('TooLarge', 'limit', 'Nothing was written: at most 10,485,760 bytes.')
    const target = join(root, path)
    let code = 'DirectoryCreateFailed'
    try {
      fs.mkdirSync(dirname(target), { recursive: true })
      code = 'WriteFailed'
      const staged = join(dirname(target), `.second-${randomUUID()}`)
      fs.writeFileSync(staged, bytes, { flush: true } as object)
      fs.renameSync(staged, target)
    } catch (error) {
      const { code: found } = error as NodeJS.ErrnoException
      const kind = found === 'ENOTDIR' || found === 'EEXIST' ? 'conflict' : 'unavailable'
      return failed(code, kind, `Nothing was written: the disk answered ${found}.`)
    }
    const hashes = {
      hash: sha256(bytes),
      sha256: sha256(bytes),
      version: sha256(bytes).slice(0, 8),
    }
    const what = {
      created: !isFile,
      overwritten: isFile,
      message: isFile ? 'File overwritten.' : 'File created.',
    }
    return {
      success: true,
      errorCode: null,
      path,
      docPath: fold(path),
      sizeBytes: bytes.length,
      ...hashes,
      ...what,
    }
  }

  /** The spelling on disk of any spelling, or the one a new file would get; undefined when it leads out. */
  function locate(spelling: string) {
    const path = spelling.normalize('NFC').replaceAll('\\', '/')
    const segments = path.split('/').filter(part => part !== '' && part !== '.')
    const isBad = /^\/|^[a-z]:|\/$|[\u0000-\u001f]/i.test(path) || segments.includes('..')
    if (isBad || path.trim() === '' || segments.length === 0) return undefined
    let at = root
    for (const segment of segments) {
      const isThere = fs.existsSync(at) && fs.statSync(at).isDirectory()
      if (isThere && !`${fs.realpathSync(at)}${sep}`.startsWith(`${root}${sep}`)) return undefined
      const names = isThere ? fs.readdirSync(at) : []
      at = join(at, names.find(name => fold(name) === fold(segment)) ?? segment)
    }
    const found = fs.existsSync(at) ? fs.statSync(at) : undefined
    if (found && !fs.realpathSync(at).startsWith(`${root}${sep}`)) return undefined
    const shown = at.slice(root.length + 1).replaceAll(sep, '/')
    return {
      path: shown,
      isFile: found?.isFile() ?? false,
      isFolder: found?.isDirectory() ?? false,
    }
  }

  async function moveHead({ path, docPath, sha256, sizeBytes }: Json, toolCallId: string) {
    await send('PUT', `${base}/blobs/${sha256}`, fs.readFileSync(join(root, path)))
    await post(`${base}/heads`, {
      changeSetId: `cs_${toolCallId}`,
      heads: [{ docPath, path, sha256, sizeBytes }],
    })
  }

  async function logExecuted(turn: Json, { path, overwrite = false }: Json, done: Json) {
    const where = {
      SessionId: turn.sessionId,
      ConversationId: turn.conversationId,
      TurnId: turn.turnId,
    }
    const what = {
      Path: done.path ?? path,
      Overwrite: overwrite,
      Success: done.success,
      ErrorCode: done.errorCode,
    }
    const fields = { ...where, ...what, SizeBytes: done.sizeBytes ?? null, Hash: done.hash ?? null }
    await post(`${base}/link/events`, {
      events: [{ type: 'log', event: 'Tool.CreateFile.Executed', fields }],
    })
  }

  async function listen() {
    const { signal } = abort
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const link = await fetch(`${origin}/api${base}/link`, { headers, signal })
    isFirst(null)
    await postAnswers()
    let text = ''
    for await (const chunk of link.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = event.match(/^data: ?.*$/gm)?.map(line => line.replace(/^data: ?/, ''))
        if (data) take(JSON.parse(data.join('\n'))).catch(() => {}) // posted again when the stream is back
      }
    }
  }

  async function stay() {
    for (let wait = 50; !abort.signal.aborted; wait = Math.min(wait * 2, 2000)) {
      await listen().catch(() => {}) // broken: open it again
      await new Promise(resolve => setTimeout(resolve, wait))
    }
  }

  const staying = stay()
  await attached
  return {
    async close() {
      abort.abort()
      await staying
    },
  }
}

const ok = (value: unknown) => ({ ok: true, value })
const refused = (code: string, kind: string, message: string) => ({
  ok: false,
  failure: { code, kind, message, errors: [message] },
})
const failed = (errorCode: string, kind: string, message: string) => ({
  success: false,
  errorCode,
  kind,
  message,
})
const fold = (path: string) => path.normalize('NFC').toLowerCase().normalize('NFC')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
