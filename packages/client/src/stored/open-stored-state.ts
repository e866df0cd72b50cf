import type { ChangeSetId } from '@filewright/protocol'
import type { CheckpointStore } from '../apply/checkpoints.ts'
import { createApplyJournal } from '../kept/apply-journal.ts'
import { createCheckpointStore } from '../kept/checkpoint-store.ts'
import { createCleaningMark } from '../kept/cleaning-line.ts'
import { createDraftLogs } from '../kept/draft-lines.ts'
import { createRuleList } from '../kept/rule-lines.ts'
import { createUploadList } from '../kept/upload-lines.ts'
import type { ClientState } from '../state/client-state.ts'
import type { WritesAtOnce } from '../workspace/tree/workspace.ts'
import { createStoredLogs } from './line-logs.ts'
import { StoredFolder } from './stored-folder.ts'
import type { StatePlace } from './stored-ports.ts'

/**
 * A state in a store that other machines use too: every draft, rule, checkpoint and record of the journal is lines of
 * one kind. With `versions`, old bytes come from there, and no checkpoint holds a copy of its own.
 */
export async function openStoredState(
  { lines, blobs }: StatePlace,
  versions?: Pick<WritesAtOnce, 'open'>,
): Promise<ClientState> {
  const logs = createStoredLogs(lines)
  const [journal, kept] = await Promise.all([
    StoredFolder.open(lines, blobs('journal'), 'journal'),
    StoredFolder.open(lines, blobs('checkpoints'), 'checkpoints'),
  ])
  const applies = createApplyJournal(journal)
  const checkpoints = createCheckpointStore(kept)
  return {
    drafts: createDraftLogs(logs),
    blobs: blobs('drafts'),
    rules: createRuleList(logs),
    uploads: createUploadList(logs),
    cleaning: createCleaningMark(logs),
    journal: applies,
    checkpoints: versions ? withVersions(checkpoints, versions) : checkpoints,
    close: () => applies.close(),
  }
}

function withVersions(
  checkpoints: CheckpointStore,
  { open }: Pick<WritesAtOnce, 'open'>,
): CheckpointStore {
  return {
    ...checkpoints,
    async open(changeSetId: ChangeSetId, index: number) {
      const copy = await checkpoints.open(changeSetId, index)
      if (copy) return copy
      const before = (await checkpoints.get(changeSetId))?.files[index]?.before
      return before ? open(before) : null
    },
  }
}
