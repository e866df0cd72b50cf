import type { WorkspaceId } from '@filewright/protocol'
import type { Sources } from '@filewright/tools'
import { createSourceReader, type SourceReaderOptions } from './source-reader.ts'

/** One reader a workspace. */
export function createSourceReaders(
  options: Omit<SourceReaderOptions, 'workspaceId'>,
): (workspaceId: WorkspaceId) => Sources {
  const readers = new Map<WorkspaceId, Sources>()
  return workspaceId => {
    let reader = readers.get(workspaceId)
    if (!reader)
      readers.set(workspaceId, (reader = createSourceReader({ ...options, workspaceId })))
    return reader
  }
}
