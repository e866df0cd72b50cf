import { createHash, randomBytes } from 'node:crypto'
import type { ServerContext } from '@modelcontextprotocol/server'
import type { Sdk } from '../protocol/sdk.ts'
import type { Deed } from './deed.ts'

/** What goes to the host with a form and comes back with its answer: signed, for one caller, call and state, once. */
export interface RequestStates {
  mint(state: FormState, context: ServerContext): Promise<string>
  /** Throws where it is not ours, too old, another's or used. */
  verify(text: string, context: ServerContext): Promise<FormState & { readonly once: string }>
  use(once: string): void
}

export interface FormState {
  /** The call with its arguments. */
  readonly call: string
  readonly subject: string
}

const TTL_SECONDS = 600 // a person looks at a review meanwhile

/**
 * For one connection's caller. The key lives as long as the process: a form from before a restart is asked again.
 * @param caller who may bring it back: token, workspace and toolset
 */
export function createRequestStates(sdk: Sdk, caller: string): RequestStates {
  const used = new Map<string, number>()
  const codec = sdk.createRequestStateCodec<FormState & { once: string }>({
    key: randomBytes(32),
    ttlSeconds: TTL_SECONDS,
    bind: ({ mcpReq }) => `${mcpReq.method}\0${caller}`,
  })
  return {
    mint: (state, context) =>
      codec.mint({ ...state, once: randomBytes(12).toString('hex') }, context),
    async verify(text, context) {
      const state = await codec.verify(text, context)
      if (used.has(state.once)) throw new Error('used')
      return state
    },
    use(once) {
      const now = Date.now()
      for (const [each, until] of used) if (until < now) used.delete(each)
      used.set(once, now + TTL_SECONDS * 1000)
    },
  }
}

export function digestOf(call: { readonly name: string; readonly arguments: unknown }): string {
  return createHash('sha256')
    .update(`${call.name}\n${JSON.stringify(call.arguments ?? {})}`)
    .digest('hex')
}

export function isFor(state: FormState, call: string, deed: Deed): boolean {
  return state.call === call && state.subject === deed.subject
}
