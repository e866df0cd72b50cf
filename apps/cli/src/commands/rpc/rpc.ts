import {
  type FolderOptions,
  type Host,
  readLines,
  type UnreadLine,
  type Work,
} from '@filewright/host'
import { withoutBom } from '../../input/read-stdin.ts'
import type { Asked, Method, Params } from './method.ts'
import { readParams } from './method.ts'
import { allMethods } from './methods.ts'
import { CODES, RpcError } from './rpc-error.ts'
import { send } from './send.ts'

interface RpcRequest {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: Params | null
}

/** One request a line in; answers and notifications a line each out. Requests run side by side. */
export function rpc(options: FolderOptions, host: Host): Promise<void> {
  return host.inWorkspace(options, async work => {
    const desk = createDesk(work)
    const under = new Set<Promise<void>>()
    await readLines(process.stdin, line => {
      if (typeof line === 'string' && line.trim() === '') return undefined
      const handled = desk.handle(line).finally(() => under.delete(handled))
      under.add(handled)
      return undefined
    })
    desk.stopFollowing()
    await Promise.all(under)
  })
}

/** What is under way, by the id of its request: `$/cancelRequest` names it. */
interface UnderWay {
  readonly id: Asked['id']
  readonly isFollowing: boolean
  cancel(): void
}

const CANCEL = '$/cancelRequest'

function createDesk(work: Work) {
  const methods = allMethods()
  const under = new Set<UnderWay>()
  let isEnding = false

  async function handle(line: string | UnreadLine): Promise<void> {
    if (typeof line !== 'string') return refuseLine(line.problem)
    let given: unknown
    try {
      given = JSON.parse(withoutBom(line))
    } catch (error) {
      return refuseLine((error as Error).message)
    }
    if (!Array.isArray(given) || given.length === 0) {
      const answer = await answerTo(given)
      if (answer) send(answer)
      return
    }
    const answers = await Promise.all(given.map(answerTo))
    const sent = answers.flatMap(answer => (answer ? [{ jsonrpc: '2.0', ...answer }] : []))
    if (sent.length > 0) process.stdout.write(`${JSON.stringify(sent)}\n`)
  }

  /** Undefined for a notification, which never gets an answer. */
  async function answerTo(given: unknown): Promise<object | undefined> {
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
    const request: RpcRequest = isObject ? given : {}
    const isNotification = typeof request.method === 'string' && request.id === undefined
    const id = isId(request.id) ? request.id : null
    try {
      const result = (await run(request, id)) ?? null
      return isNotification ? undefined : { id, result }
    } catch (error) {
      const { code, message, data } =
        error instanceof RpcError ? error : new RpcError(CODES.failure, (error as Error).message)
      if (isNotification) return undefined
      return { id, error: { code, message, ...(data !== undefined && { data }) } }
    }
  }

  async function run({ id: given, method, params }: RpcRequest, id: Asked['id']): Promise<unknown> {
    if (typeof method !== 'string') throw new RpcError(CODES.request, 'a request needs a "method"')
    if (given !== undefined && !isId(given))
      throw new RpcError(CODES.request, 'the "id" of a request is a string or a number')
    if (typeof (params ?? {}) !== 'object' || Array.isArray(params))
      throw new RpcError(CODES.params, '"params" must be an object: every parameter has a name')
    if (method === CANCEL) return cancel(params?.id)
    const found = findMethod(methods, method)
    const read = readParams(method, found, params ?? {})
    return underWay(id, method === 'events' || method === 'workspaceEvents', onCancel =>
      found.run(read, { work, id, onCancel }),
    )
  }

  async function underWay(
    id: Asked['id'],
    isFollowing: boolean,
    act: (onCancel: Asked['onCancel']) => Promise<unknown>,
  ): Promise<unknown> {
    let stop = () => {}
    const own = { id, isFollowing, cancel: () => stop() }
    under.add(own)
    try {
      return await act(cancel => {
        stop = cancel
        if (isEnding && isFollowing) cancel()
      })
    } finally {
      under.delete(own)
    }
  }

  function cancel(id: unknown): null {
    for (const each of under) if (each.id === id && id !== null) each.cancel()
    return null
  }

  return {
    handle,
    /** Nobody can cancel any more what would never end by itself. */
    stopFollowing() {
      isEnding = true
      for (const { isFollowing, cancel } of under) if (isFollowing) cancel()
    },
  }
}

function isId(id: unknown): id is Asked['id'] {
  return typeof id === 'string' || typeof id === 'number' || id === null
}

function findMethod(methods: Readonly<Record<string, Method>>, name: string): Method {
  if (Object.hasOwn(methods, name)) return methods[name]!
  const known = Object.keys(methods).join(', ')
  throw new RpcError(CODES.method, `There is no method "${name}". The methods are ${known}.`)
}

function refuseLine(message: string): void {
  send({ id: null, error: { code: CODES.parse, message } })
}
