import { counted } from '@filewright/protocol'
import { z } from 'zod'
import type { SearchState } from './server-context.ts'

export const snippetFields = {
  docPath: z.string().describe('The document: pass it to workspace_read_file as path'),
  path: z.string().describe('Spelling on disk'),
  chunkPath: z.string().describe('The place in it; informs only, never a path'),
  language: z.string().describe('csharp, markdown …; what a document is'),
}

export const lines = z
  .object({ start: z.number().int().describe('First'), end: z.number().int().describe('Last') })
  .describe('Lines')

const MOST_LINES = 40
const MOST_CHARACTERS = 2_000

/** The beginning, as long as a model needs to see whether it is right. */
export function shorten(text: string): string {
  const some = text.split('\n').slice(0, MOST_LINES).join('\n')
  const short = some.length > MOST_CHARACTERS ? some.slice(0, MOST_CHARACTERS) : some
  return short.length < text.length ? `${short}\n…` : short
}

export function describeState({ indexed, pending, trouble }: SearchState): string[] {
  if (trouble !== undefined)
    return [`The files could not be listed, so this is what was indexed before: ${trouble}`]
  if (pending === 0) return []
  return [
    `The index is being built: ${counted(indexed, 'file')} of ${indexed + pending} searched so far. Search again in a moment for the rest.`,
  ]
}
