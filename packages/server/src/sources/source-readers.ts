import type { WorkspaceId } from '@filewright/protocol'
import type { SourceReader } from '@filewright/tools'
import { createSourceReader, type SourceReaderOptions } from './source-reader.ts'

/** One reader for each workspace. */
export function createSourceReaders(
  options: Omit<SourceReaderOptions, 'workspaceId'>,
): (workspaceId: WorkspaceId) => SourceReader {
  const readers = new Map<WorkspaceId, SourceReader>()
  return workspaceId => {
    let reader = readers.get(workspaceId)
    if (!reader)
      readers.set(workspaceId, (reader = createSourceReader({ ...options, workspaceId })))
    return reader
  }
}
