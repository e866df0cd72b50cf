import type { IdSource, WorkspaceId } from '@filewright/protocol'
import {
  type RankedSearch,
  relativePaths,
  type ServerContext,
  type SourceReader,
} from '@filewright/tools'
import type { SessionLog } from '../log/log.ts'
import type { Patches } from '../patches/patches.ts'
import type { ActiveFilesOf } from '../sources/active-files.ts'
import { type SourceTexts, timeFromNow } from '../sources/source-texts.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Logger } from '../words/logger.ts'
import type { RoutedCall } from './routed-call.ts'
import { toolResults } from './tool-results.ts'

export interface ToolContextOptions {
  readonly log: SessionLog
  readonly blobs: Blobs
  readonly patches: Patches
  readonly ids: IdSource
  readonly logger: Logger
  readonly readerOf: (workspaceId: WorkspaceId) => SourceReader
  readonly activeFilesOf: ActiveFilesOf
  readonly texts: Pick<SourceTexts, 'within'>
  readonly rootOf: (workspaceId: WorkspaceId) => Promise<string | undefined>
  readonly searchOf: (workspaceId: WorkspaceId) => RankedSearch
}

/** Everything the server half of a tool may touch during one call. */
export function createToolContexts(
  options: ToolContextOptions,
): (call: RoutedCall) => ServerContext {
  const { log, blobs, patches, ids, logger, readerOf, activeFilesOf, texts, rootOf, searchOf } =
    options
  return ({ ids: callIds, workspaceId }) => {
    const { sessionId, conversationId, turnId, toolCallId } = callIds
    return {
      call: { sessionId, conversationId, turnId, toolCallId, workspaceId },
      activeFiles: activeFilesOf(workspaceId, sessionId),
      sources: readerOf(workspaceId),
      texts: texts.within(timeFromNow()),
      async relative(given) {
        const root = await rootOf(workspaceId)
        return root === undefined ? undefined : relativePaths(given, root)
      },
      patches: {
        async store(batch) {
          return (await patches.store({ ...batch, workspaceId, sessionId, toolCallId })).batch
        },
        find: id => patches.find(workspaceId, id as never),
      },
      get search() {
        return searchOf(workspaceId)
      },
      get results() {
        return toolResults(log, blobs, sessionId)
      },
      ids,
      log: (event, fields) =>
        logger.event(event, {
          SessionId: sessionId,
          ConversationId: conversationId,
          TurnId: turnId,
          ...fields,
        }),
    }
  }
}
