import { createApplyJournal } from '../kept/apply-journal.ts'
import { createCheckpointStore } from '../kept/checkpoint-store.ts'
import { createCleaningMark } from '../kept/cleaning-line.ts'
import { createDraftLogs } from '../kept/draft-lines.ts'
import { createRuleList } from '../kept/rule-lines.ts'
import { createUploadList } from '../kept/upload-lines.ts'
import type { ClientState } from '../state/client-state.ts'
import { MemoryDisk } from '../workspace/memory/memory-folder.ts'
import { createMemoryLines } from './memory-lines.ts'
import { createMemoryStateBlobs } from './memory-state-blobs.ts'

/** State without a disk. After one client closes it, the next one in the same process can use it. */
export function createMemoryState(): ClientState {
  const lines = createMemoryLines()
  return {
    drafts: createDraftLogs(lines),
    blobs: createMemoryStateBlobs(),
    rules: createRuleList(lines),
    uploads: createUploadList(lines),
    cleaning: createCleaningMark(lines),
    journal: createApplyJournal(new MemoryDisk().openRoot()),
    checkpoints: createCheckpointStore(new MemoryDisk().openRoot()),
    close() {},
  }
}
