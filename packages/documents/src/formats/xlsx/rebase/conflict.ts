import type { Change, ChangeId, ChangeSide } from '@filewright/protocol'

/** A change that cannot be carried over, with what both sides have. */
export interface WorkbookConflict {
  readonly changeId: ChangeId
  readonly place: string
  readonly reason: string
  readonly before: ChangeSide | null
  readonly draft: ChangeSide | null
  /** Where the place is now; absent where nobody knows. */
  readonly disk?: ChangeSide | null
}

export function toConflict(
  { id, place, before, after }: Change,
  reason: string,
  disk?: ChangeSide | null,
): WorkbookConflict {
  const own = { changeId: id, place, reason, before, draft: after }
  return disk === undefined ? own : { ...own, disk }
}

/** `Sales!B2: the draft has 5, the disk 7 (it was 3)`. */
export function inWords(
  { place, reason, before, draft, disk }: WorkbookConflict,
  by = 'the draft',
): string {
  if (disk === undefined && !draft && !before) return `${place}: ${reason}`
  if (disk === undefined)
    return `${place}: ${by} has ${show(draft)}, and it was ${show(before)} (${reason})`
  return `${place}: ${by} has ${show(draft)}, the disk ${show(disk)}, and it was ${show(before)} (${reason})`
}

const MOST = 60 // characters of a value

function show(side: ChangeSide | null): string {
  const text = side?.formula ?? side?.text ?? side?.format ?? ''
  if (text === '') return 'nothing'
  return JSON.stringify(text.length > MOST ? `${text.slice(0, MOST)}…` : text)
}
