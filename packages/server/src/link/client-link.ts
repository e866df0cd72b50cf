import { randomBytes } from 'node:crypto'
import {
  type ClientMethod,
  type ClientMethods,
  fail,
  type LinkRequest,
  type ReadSourceAtOnce,
  type Result,
  type WorkspaceId,
} from '@filewright/protocol'
import { type AnswerSource, readAnswer } from './client-answer.ts'

/** The attached clients, and the questions they have not answered yet. */
export interface ClientLink {
  isAttached(workspaceId: WorkspaceId): boolean
  /** The newest client of a workspace takes over and gets every question that is still open. */
  attach(
    workspaceId: WorkspaceId,
    send: (request: LinkRequest) => void,
    options?: ClientAbilities,
  ): () => void
  /** Whether its client itself keeps each call on a draft durably, and lists them on request (`kept-calls`). */
  keepsCalls(workspaceId: WorkspaceId): boolean
  ask<Method extends ClientMethod>(
    workspaceId: WorkspaceId,
    method: Method,
    params: ClientMethods[Method]['params'],
    options?: AskOptions,
  ): Promise<Result<ClientMethods[Method]['value']>>
  /** From a client in this process: the file as it is now, without waiting. Undefined where the client must be asked. */
  readAtOnce(
    workspaceId: WorkspaceId,
    ...given: Parameters<ReadSourceAtOnce>
  ): ReturnType<ReadSourceAtOnce>
  answer(workspaceId: WorkspaceId, answers: readonly GivenAnswer[], options?: AnswerSource): void
  /** Another instance has the client now: nobody answers what is still open here. */
  giveUp(workspaceId: WorkspaceId): void
  /** The same for a client in this process, one answer at a time. */
  answering(workspaceId: WorkspaceId): (answer: GivenAnswer) => void
}

/** As any make of client sent it. */
interface GivenAnswer {
  readonly id: string
  readonly result: unknown
}

export interface ClientAbilities {
  readonly keepsCalls?: boolean
  /** Answers a question once, however often it comes: every client over HTTP does. */
  readonly mayRepeat?: boolean
  readonly readAtOnce?: ReadSourceAtOnce
}

export interface AskOptions {
  /** Time limit for the answer; a client that disconnects meanwhile has `graceMs` to return. */
  readonly timeoutMs?: number
}

const GRACE_MS = 5_000

interface Asked {
  readonly request: LinkRequest
  readonly resolve: (result: Result<never>) => void
  readonly at: number
  timer?: NodeJS.Timeout
}

interface Attached {
  /** The newest connection. */
  send?: (request: LinkRequest) => void
  /** Connections that a newer one replaced and that are still open, oldest first. */
  readonly older: Set<(request: LinkRequest) => void>
  readonly asked: Map<string, Asked>
  grace?: NodeJS.Timeout
  /** It disconnected a moment ago and may return. */
  isExpected: boolean
}

export interface ClientLinkOptions {
  /**
   * Clients over HTTP get a question again when they did not answer it for so long: among several instances an answer can
   * go to one that is not the home any more. A client answers each question once, however often it comes.
   */
  readonly repeatMs?: number
  /** A client that comes back within it has missed nothing. */
  readonly graceMs?: number
}

export function createClientLink({
  repeatMs,
  graceMs = GRACE_MS,
}: ClientLinkOptions = {}): ClientLink {
  const clients = new Map<WorkspaceId, Attached>()
  const abilities = new WeakMap<(request: LinkRequest) => void, ClientAbilities>()
  // a client repeats its answer for an id it knows, so ids must differ after a restart
  const start = randomBytes(6).toString('base64url')
  let counter = 0

  function clientOf(workspaceId: WorkspaceId): Attached {
    let client = clients.get(workspaceId)
    if (!client)
      clients.set(workspaceId, (client = { asked: new Map(), older: new Set(), isExpected: false }))
    return client
  }

  function abilitiesOf(workspaceId: WorkspaceId): ClientAbilities | undefined {
    const send = clients.get(workspaceId)?.send
    return send && abilities.get(send)
  }

  function gone(client: Attached) {
    client.isExpected = false
    for (const asked of client.asked.values()) settle(client, asked, clientGone())
  }

  function settle(client: Attached, asked: Asked, result: Result<never>) {
    clearTimeout(asked.timer)
    client.asked.delete(asked.request.id)
    asked.resolve(result)
  }

  /** Those that have waited for that long already. */
  function repeat() {
    const before = Date.now() - repeatMs!
    for (const { send, asked } of clients.values()) {
      if (!send || !abilities.get(send)?.mayRepeat) continue
      for (const { request, at } of asked.values()) if (at < before) send(request)
    }
  }
  if (repeatMs !== undefined) setInterval(repeat, repeatMs).unref()

  function take(client: Attached, { id, result }: GivenAnswer, options?: AnswerSource) {
    const asked = client.asked.get(id)
    if (asked) settle(client, asked, readAnswer(asked.request, result, options) as Result<never>)
  }

  return {
    isAttached: workspaceId => clients.get(workspaceId)?.send !== undefined,

    keepsCalls(workspaceId) {
      return abilitiesOf(workspaceId)?.keepsCalls === true
    },

    readAtOnce: (workspaceId, ...given) => abilitiesOf(workspaceId)?.readAtOnce?.(...given),

    attach(workspaceId, send, options = {}) {
      const client = clientOf(workspaceId)
      abilities.set(send, options)
      clearTimeout(client.grace)
      if (client.send) client.older.add(client.send)
      client.send = send
      for (const { request } of client.asked.values()) send(request)
      return () => {
        if (client.send !== send) return void client.older.delete(send)
        client.send = [...client.older].at(-1)
        if (client.send) {
          client.older.delete(client.send)
          for (const { request } of client.asked.values()) client.send(request)
          return
        }
        client.isExpected = true
        client.grace = setTimeout(() => gone(client), graceMs)
        client.grace.unref()
      }
    },

    ask(workspaceId, method, params, { timeoutMs } = {}) {
      const client = clientOf(workspaceId)
      if (!client.send && !client.isExpected) return Promise.resolve(clientGone())
      const request = { id: `q${start}.${++counter}`, method, params } as LinkRequest
      return new Promise(resolve => {
        const asked: Asked = { request, resolve, at: Date.now() }
        if (timeoutMs !== undefined) {
          asked.timer = setTimeout(
            () => settle(client, asked, timedOut(method, timeoutMs)),
            timeoutMs,
          )
          asked.timer.unref()
        }
        client.asked.set(request.id, asked)
        client.send?.(request)
      })
    },

    answer(workspaceId, answers, options) {
      const client = clientOf(workspaceId)
      for (const answer of answers) take(client, answer, options)
    },

    giveUp(workspaceId) {
      const client = clients.get(workspaceId)
      if (client) gone(client)
    },

    answering(workspaceId) {
      const client = clientOf(workspaceId)
      return answer => take(client, answer)
    },
  }
}

function clientGone(): Result<never> {
  return fail(
    'CLIENT_GONE',
    'The client of this workspace is not attached, so its files cannot be reached. Start it with "filewright attach" or open the folder again, then retry.',
  )
}

function timedOut(method: string, timeoutMs: number): Result<never> {
  return fail(
    'TIMEOUT',
    `The client did not answer "${method}" within ${Math.round(timeoutMs / 1000)} s. Ask for less, or retry.`,
  )
}
