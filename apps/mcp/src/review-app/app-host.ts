import type { ClientCapabilities } from '@modelcontextprotocol/server'
import { hasForms } from '../gate/host-form.ts'

/** The extension that shows a page of ours in a frame: MCP Apps of 2026-01-26. */
const EXTENSION = 'io.modelcontextprotocol/ui'
export const APP_TYPE = 'text/html;profile=mcp-app'
export const REVIEW_ADDRESS = 'ui://filewright/review'

/** A host with forms asks in those: a person is asked once. */
export function showsReview(capabilities: ClientCapabilities | undefined): boolean {
  const { extensions } = (capabilities ?? {}) as {
    readonly extensions?: Readonly<Record<string, { readonly mimeTypes?: readonly string[] }>>
  }
  const types = extensions?.[EXTENSION]?.mimeTypes ?? []
  return types.includes(APP_TYPE) && !hasForms(capabilities)
}
