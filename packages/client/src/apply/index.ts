/** The write core alone, for what needs no session: benches, and processes that are killed in tests. */
export { apply, recover } from '../apply.ts'
export { type CheckpointStore, type Displaced, removeOldCheckpoints } from '../checkpoints.ts'
export { createApplyJournal } from '../state/apply-journal.ts'
export { createCheckpointStore } from '../state/checkpoint-store.ts'
export { openDiskWorkspace } from '../workspace/disk.ts'
export { openDiskFolder } from '../workspace/disk-folder.ts'
export type { ApplyPorts } from './ports.ts'
export { redo, undo } from './undo.ts'
