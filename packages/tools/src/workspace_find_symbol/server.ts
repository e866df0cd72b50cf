import { counted, ok, type ServerHandler } from '@filewright/protocol'
import { toFolderFilter } from '../listing.ts'
import type { ServerContext } from '../server-context.ts'
import { describeState, shorten } from '../snippets.ts'
import type { workspaceFindSymbol } from './tool.ts'

export const workspaceFindSymbolServer: ServerHandler<
  typeof workspaceFindSymbol,
  ServerContext
> = async ({ name, path, limit = 50 }, { search }) => {
  const isWanted = toFolderFilter(path)
  if (!isWanted.ok) return isWanted
  const bare = name.replace(/\(\)?$/, '').replace(/^.*(?:::|[.#])/, '') // A.B::f() means f
  const found = await search.symbol(bare || name, { limit, isWanted: isWanted.value })
  const { state, usages, usageCount } = found
  const definitions = found.definitions.map(({ lineStart, lineEnd, text, ...rest }) => ({
    ...rest,
    lines: { start: lineStart, end: lineEnd },
    text: shorten(text),
  }))
  const message = `${counted(definitions.length, 'definition')} and ${counted(usageCount, 'usage')} of ${bare || name}`
  return ok({
    fields: {
      definitions,
      usages: [...usages],
      usageCount,
      indexed: state.indexed,
      unindexed: state.pending,
    },
    message,
    text: [
      message,
      ...definitions.map(
        ({ chunkPath, lines, text }) => `${chunkPath} (lines ${lines.start}-${lines.end})\n${text}`,
      ),
      ...usages.map(({ docPath, line, text }) => `${docPath}:${line}: ${text.trim()}`),
      ...(usageCount > usages.length ? [`… ${usageCount - usages.length} more usages`] : []),
    ].join('\n'),
    warnings: describeState(state),
  })
}
