import { counted, type JournalLine } from '@filewright/protocol'

const DONE = {
  published: 'Draft published',
  discarded: 'Draft discarded',
  undone: 'Undone',
  redone: 'Redone',
}

/** What a person did with a draft, in a line. */
export function toDraftNote({
  action,
  files,
  refused = 0,
  undecided = 0,
}: Extract<JournalLine, { type: 'draft' }>): string {
  const left = refused > 0 ? `, ${counted(refused, 'change')} refused` : ''
  const rest = undecided > 0 ? `, ${counted(undecided, 'change')} still in the draft` : ''
  return `${DONE[action]}: ${counted(files, 'file')}${left}${rest}`
}
