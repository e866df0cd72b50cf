import type { CheckpointStore } from '../apply/checkpoints.ts'
import type { ApplyJournal } from '../apply/journal.ts'
import type { DraftLogs } from './draft-logs.ts'
import type { RuleList } from './rule-list.ts'
import type { StateBlobs } from './state-blobs.ts'
import type { UploadList } from './upload-list.ts'

/** What a client remembers about one workspace after its process ends. It never lies inside the workspace. */
export interface ClientState {
  readonly drafts: DraftLogs
  readonly blobs: StateBlobs
  readonly rules: RuleList
  readonly uploads: UploadList
  readonly journal: ApplyJournal
  readonly checkpoints: CheckpointStore
  readonly cleaning: CleaningMark
  close(): void
}

/** When old state was last removed. */
export interface CleaningMark {
  /** Milliseconds since 1970; undefined: never, or unknown. */
  read(): Promise<number | undefined>
  write(time: number): Promise<void>
}
