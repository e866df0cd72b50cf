import {
  fail,
  isFields,
  LIMITS,
  ok,
  type Result,
  signalWithin,
  visible,
} from '@filewright/protocol'
import { version } from '../settings/version.ts'
import { answerText } from './answer-text.ts'
import type { OutsideChannel } from './channel.ts'
import { type Defined, readDefinitions } from './definitions.ts'
import { createPeer, type Peer, type RpcEnd } from './peer.ts'

/** One MCP server that runs, or answers at its address. */
export interface OutsideServer {
  readonly defined: Defined
  /** Why it is gone; undefined while it is there. */
  readonly gone: string | undefined
  /** Asks again what its tools are: a change counts from the next run on. */
  refresh(): Promise<Result<null>>
  call(own: string, given: unknown, signal: AbortSignal): Promise<CallEnd>
  close(): Promise<void>
}

export type CallEnd =
  | { readonly type: 'answered'; readonly text: string; readonly isError: boolean }
  | { readonly type: 'not-sent'; readonly why: string }
  | { readonly type: 'lost'; readonly why: string }

const PROTOCOL_VERSION = '2025-11-25'

/** Greets the server and asks for its tools; a server that does neither in time is ended. */
export async function startServer(
  name: string,
  channel: OutsideChannel,
): Promise<Result<OutsideServer>> {
  const peer = createPeer(channel)
  const signal = signalWithin(LIMITS.outsideStartMs)
  const greeted = await greet(name, peer, signal)
  const listed = greeted.ok ? await listTools(name, peer, signal) : greeted
  if (!listed.ok) {
    await peer.close()
    return listed
  }
  let defined = listed.value
  return ok({
    get defined() {
      return defined
    },
    get gone() {
      return peer.gone
    },
    async refresh() {
      const again = await listTools(name, peer, signalWithin(LIMITS.outsideStartMs))
      if (!again.ok) return again
      defined = again.value
      return ok(null)
    },
    async call(own, given, stop) {
      return toCallEnd(await peer.request('tools/call', { name: own, arguments: given }, stop))
    },
    close: peer.close,
  })
}

async function greet(name: string, peer: Peer, signal: AbortSignal): Promise<Result<null>> {
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {}, // no sampling, no elicitation, no folders
    clientInfo: { name: 'filewright', version },
  }
  const end = await peer.request('initialize', params, signal)
  if (end.type !== 'answered') return notThere(name, end, signal)
  peer.notify('notifications/initialized')
  return ok(null)
}

/** Page by page, and no more pages than its bound of tools could fill. */
async function listTools(name: string, peer: Peer, signal: AbortSignal): Promise<Result<Defined>> {
  const listed: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES && listed.length <= LIMITS.outsideTools; page++) {
    const end = await peer.request('tools/list', cursor === undefined ? {} : { cursor }, signal)
    if (end.type !== 'answered') return notThere(name, end, signal)
    const { tools, nextCursor } = isFields(end.result) ? end.result : {}
    if (Array.isArray(tools)) listed.push(...tools.slice(0, LIMITS.outsideTools + 1))
    if (typeof nextCursor !== 'string' || nextCursor === '') break
    cursor = nextCursor
  }
  return ok(readDefinitions(name, listed))
}

const MOST_PAGES = 32

function notThere(
  name: string,
  end: Exclude<RpcEnd, { type: 'answered' }>,
  signal: AbortSignal,
): Result<never> {
  const late = `did not say within ${LIMITS.outsideStartMs / 1000} s what its tools are`
  const why = signal.aborted
    ? late
    : end.type === 'error'
      ? `answered with an error: ${shown(end.message)}`
      : end.why
  return fail(
    'OUTSIDE_GONE',
    `The MCP server "${name}" is not used: it ${why.replace(/\.$/, '')}. See "filewright mcp list".`,
    { kind: 'unavailable' },
  )
}

function toCallEnd(end: RpcEnd): CallEnd {
  switch (end.type) {
    case 'answered':
      return { type: 'answered', ...answerText(end.result) }
    case 'error':
      return { type: 'answered', text: `${end.code}: ${shown(end.message)}`, isError: true }
    default:
      return end
  }
}

const SHOWN = 500 // characters

function shown(text: string): string {
  return visible(text.slice(0, SHOWN))
}
