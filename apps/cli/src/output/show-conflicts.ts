import { note } from '@filewright/host'
import { type DraftConflict, visible } from '@filewright/protocol'

/** What is in conflict, each with what either side would do. */
export function showConflicts(conflicts: readonly DraftConflict[]): void {
  for (const { changeId, path, message, choices } of conflicts) {
    note(`In conflict: ${changeId}  ${visible(path)}  ${message}`)
    note(`  --theirs: ${choices.theirs}`)
    note(`  --ours: ${choices.ours ?? 'not possible, because nothing proves where it would go'}`)
  }
}
