import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createApplyJournal } from '../kept/apply-journal.ts'
import { createCheckpointStore } from '../kept/checkpoint-store.ts'
import { createCleaningMark } from '../kept/cleaning-line.ts'
import { createDraftLogs } from '../kept/draft-lines.ts'
import { createRuleList } from '../kept/rule-lines.ts'
import { createUploadList } from '../kept/upload-lines.ts'
import type { ClientState } from '../state/client-state.ts'
import { openDiskFolder } from '../workspace/disk/disk-folder.ts'
import { openBlobFolder } from './blob-folder.ts'
import { openLogFolder } from './log-folder.ts'
import { createUnsynced } from './unsynced.ts'

/** Opens the state of a workspace in its own folder. */
export async function openClientState(root: string): Promise<ClientState> {
  const [blobs, journal, checkpoints] = ['blobs', 'journal', 'checkpoints'].map(name =>
    join(root, name),
  ) as [string, string, string]
  for (const folder of [blobs, journal, checkpoints])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  const unsynced = createUnsynced()
  const logs = openLogFolder(root, unsynced)
  const applies = createApplyJournal(openDiskFolder(journal))
  return {
    drafts: createDraftLogs(logs),
    blobs: openBlobFolder(blobs, unsynced),
    rules: createRuleList(logs),
    uploads: createUploadList(logs),
    cleaning: createCleaningMark(logs),
    journal: applies,
    checkpoints: createCheckpointStore(openDiskFolder(checkpoints)),
    close() {
      logs.close()
      applies.close()
    },
  }
}
