import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { currentFolder, Exit, note, version, whileWaiting } from '@filewright/host'
import { EXIT_CODES, type Toolset } from '@filewright/protocol'
import { startCommand } from '../setup/start-command.ts'

export interface DoctorOptions {
  readonly dir?: string
  readonly toolset?: Toolset
}

const WAIT_MS = 30_000
const ERA = '2025-11-25'

/** Starts us as a client does, in a process of its own with pipes, and says what works. */
export async function doctor({ dir, toolset }: DoctorOptions): Promise<void> {
  const { command, args } = startCommand(dir ?? currentFolder(), toolset)
  note(`Starting ${[command, ...args].join(' ')}`)
  const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  try {
    await examine(child)
  } finally {
    child.stdin?.end()
    child.kill()
  }
}

async function examine(child: ChildProcess): Promise<void> {
  const asker = createAsker(child)
  const ask = (method: string, params: object) => whileWaiting(method, () => asker(method, params))
  const began = performance.now()
  const opened = await ask('initialize', {
    protocolVersion: ERA,
    capabilities: {},
    clientInfo: { name: 'filewright doctor', version },
  })
  const ms = Math.round(performance.now() - began)
  say(
    `initialize   ${(opened.serverInfo as { version: string }).version} in ${ms} ms, ${opened.protocolVersion}`,
  )
  asker.tell('notifications/initialized')
  const { tools } = (await ask('tools/list', {})) as { tools: ListedTool[] }
  say(`tools/list   ${tools.map(({ name }) => name).join(', ')}`)
  const lister = tools.find(isEasy)!
  const called = await ask('tools/call', { name: lister.name, arguments: {} })
  const [{ text }] = called.content as [{ text: string }]
  say(`tools/call   ${lister.name}: ${text.split('\n')[0]!.slice(0, 200)}`)
  if (called.isError)
    throw new Exit(EXIT_CODES.unavailable, 'the call failed, as the line above says')
}

interface ListedTool {
  readonly name: string
  readonly inputSchema: { readonly required?: readonly string[] }
  readonly annotations: { readonly readOnlyHint: boolean }
}

/** It reads, and needs no argument. */
function isEasy({ inputSchema, annotations }: ListedTool): boolean {
  return annotations.readOnlyHint && (inputSchema.required ?? []).length === 0
}

type Answer = Readonly<Record<string, unknown>>

/** One request at a time; a process that ends or says something else on stdout is a fault. */
function createAsker(child: ChildProcess) {
  let id = 0
  let errors = ''
  const waiting = new Map<number, (answer: Answer) => void>()
  let fail: (cause: Error) => void = () => {}
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.on('error', cause => fail(cause))
  child.on('exit', code =>
    fail(new Exit(EXIT_CODES.unavailable, `it ended with ${code}. ${errors.trim()}`)),
  )
  createInterface({ input: child.stdout! }).on('line', line => {
    const message = parse(line)
    if (!message)
      return fail(
        new Exit(EXIT_CODES.internal, `stdout has more than the protocol: ${line.slice(0, 200)}`),
      )
    waiting.get(message.id as number)?.(message)
  })
  const send = (message: object) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (method: string, params: object): Promise<Answer> => {
    id++
    const answered = await new Promise<Answer>((resolve, reject) => {
      const late = new Exit(
        EXIT_CODES.unavailable,
        `${method} got no answer within ${WAIT_MS / 1000} s. ${errors.trim()}`,
      )
      const timer = setTimeout(() => reject(late), WAIT_MS)
      fail = cause => {
        clearTimeout(timer)
        reject(cause)
      }
      waiting.set(id, answer => {
        clearTimeout(timer)
        resolve(answer)
      })
      send({ id, method, params })
    })
    const { error, result } = answered as { error?: { message: string }; result?: Answer }
    if (error) throw new Exit(EXIT_CODES.unavailable, `${method}: ${error.message}`)
    return result ?? {}
  }
  return Object.assign(ask, { tell: (method: string) => send({ method }) })
}

function parse(line: string): Answer | undefined {
  try {
    return JSON.parse(line) as Answer
  } catch {
    return undefined
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
