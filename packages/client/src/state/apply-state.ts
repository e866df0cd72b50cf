import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckpointStore } from '../apply/checkpoints.ts'
import type { ApplyJournal } from '../apply/journal.ts'
import { openDiskFolder } from '../workspace/disk/disk-folder.ts'
import { createApplyJournal } from './apply-journal.ts'
import { createCheckpointStore } from './checkpoint-store.ts'

/** The journal of applies and the kept bytes, in the state folder of a workspace. */
export async function openApplyState(
  root: string,
): Promise<{ journal: ApplyJournal; checkpoints: CheckpointStore }> {
  const [journal, checkpoints] = [join(root, 'journal'), join(root, 'checkpoints')]
  for (const folder of [journal, checkpoints]) await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    journal: createApplyJournal(openDiskFolder(journal)),
    checkpoints: createCheckpointStore(openDiskFolder(checkpoints)),
  }
}
