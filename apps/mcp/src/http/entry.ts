import { LIMITS } from '@filewright/protocol'
import type { McpServerFactory, ServerNotifier } from '@modelcontextprotocol/server'
import type { Sdk } from '../protocol/sdk.ts'
import { createSessions } from './sessions.ts'

/** One address for both eras. */
export interface HttpEntry {
  answer(request: Request): Promise<Response>
  /** Tells those who listen since 2026-07-28. */
  readonly notify: ServerNotifier
  close(): Promise<void>
}

/**
 * Since 2026-07-28 every request stands alone. A client of 2025 that says `initialize` gets a session; one that sends no
 * session id is served without.
 */
export function createHttpEntry(sdk: Sdk, factory: McpServerFactory): HttpEntry {
  const sessions = createSessions(sdk, factory)
  const alone = sdk.createMcpHandler(factory, { maxRequestBodySize: LIMITS.requestBodyBytes })
  return {
    answer: async request => (await sessions.answer(request)) ?? alone.fetch(request),
    notify: alone.notify,
    async close() {
      await sessions.close()
      await alone.close()
    },
  }
}
