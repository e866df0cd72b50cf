import { counted, ok, type ServerHandler } from '@filewright/protocol'
import { toFolderFilter } from '../listing.ts'
import type { ServerContext } from '../server-context.ts'
import { describeState, shorten } from '../snippets.ts'
import type { workspaceSearch } from './tool.ts'

export const workspaceSearchServer: ServerHandler<typeof workspaceSearch, ServerContext> = async (
  { query, path, limit = 10 },
  { search },
) => {
  const isWanted = toFolderFilter(path)
  if (!isWanted.ok) return isWanted
  const found = await search.find(query, { limit, isWanted: isWanted.value })
  const { state } = found
  const snippets = found.snippets.map(({ lineStart, lineEnd, text, ...rest }) => ({
    ...rest,
    lines: { start: lineStart, end: lineEnd },
    text: shorten(text),
  }))
  const message = `${counted(snippets.length, 'snippet')} for ${JSON.stringify(query)}`
  const shown = snippets.map(
    ({ docPath, chunkPath, lines, language, text }) =>
      `DocPath: ${docPath}\nChunkPath: ${chunkPath}\nlines ${lines.start}-${lines.end}, ${language}\n${text}`,
  )
  return ok({
    fields: { snippets, indexed: state.indexed, unindexed: state.pending },
    message,
    text: [message, ...shown].join('\n\n'),
    warnings: describeState(state),
  })
}
