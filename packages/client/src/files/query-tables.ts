import type { QueriedFile } from '@filewright/engine'
import type { Result } from '@filewright/protocol'
import type { FileFailure, Files } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import { type Desk, viewFile } from '../draft/draft-view.ts'

/** Tables as the draft has them, queried where a query can be stopped. */
export function createTableQuery(desk: Desk, draft: Draft): Files['query'] {
  return async (tables, sql, options) => {
    const files: QueriedFile[] = []
    for (const { path, ...part } of tables) {
      const file = await viewFile(desk, draft, path)
      if (!file.ok) return file
      const { format, name, load } = file.value.ref
      const source = await load()
      if (!source.ok) return source as Result<never, FileFailure>
      files.push({ ...part, format, name, source: source.value })
    }
    const result = await desk.engines.hostile.query(files, sql, options)
    return result as Result<typeof result extends Result<infer Value> ? Value : never, FileFailure>
  }
}
