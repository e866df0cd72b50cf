import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §6. */
export const writeModel: SectionEntries[string] = {
  // drafts
  'draft is a log':
    'With every cached byte of a draft deleted, replaying its log gives the same files as before.',
  'inputs pinned':
    'Bases, copied files and images are pinned by hash: a later change of the source changes nothing in the draft.',
  'clock, author and seed recorded':
    'Clock, author and seed are in the log, so replay gives the same bytes.',
  'several drafts': 'Several drafts are open at once without seeing each other.',
  'one draft per session': 'A session works in one draft of its own by default.',
  'chat goes on': 'A conversation goes on while a draft is open.',
  'draft survives a crash': 'A draft is whole after kill -9 and a restart.',
  'damaged draft told':
    'A draft whose log cannot be read is told and kept, and other drafts go on.',
  'batch is a one-call draft': 'A patch batch is a draft of one call whose review is the approval.',
  'create is a one-call draft':
    'A created file is a draft of one call whose review is the approval.',
  'one apply engine': 'Batches, created files and drafts are written by one apply engine.',
  // operations and changes
  'footprint declared': 'Every operation declares what it reads, writes and moves.',
  divisible:
    'A person can refuse a single cell of a set, a single place of a replace, a single line change and a single text edit.',
  atomic: 'Inserted rows, a sort or a moved slide is refused whole or not at all.',
  'change id derived':
    'The id of a change derives from tool call, operation and place, and is the same after each replay.',
  'refusal narrows': 'Refusing one change of a divisible operation leaves its other changes.',
  'refusal drops': 'Refusing the change of an atomic operation drops the operation.',
  'rest replayed': 'What is accepted equals the accepted operations replayed on the base.',
  dependsOn:
    'A change whose footprint overlaps an earlier one depends on it; dependants of a refused change are named.',
  'rows inserted before':
    'A change on a sheet made after rows were inserted there names that insertion in its `dependsOn`.',
  'recomputed results are consequences':
    'Recomputed formula results are shown as consequences and cannot be refused.',
  // review
  'review lines': 'Review shows changes of a text as lines.',
  'review cells': 'Review shows changes of a workbook as cells: value, formula and format.',
  'review paragraphs': 'Review shows changes of a document as paragraphs and runs.',
  'review slides': 'Review shows changes of a deck as slides and shapes.',
  'review files': 'Review shows files added, moved and deleted.',
  'publish what was reviewed':
    'A draft that went on since its review is not published by that review, and nothing is written.',
  // publish
  'draft changed in order':
    'Calls that write, publishes and discards of one draft take effect one after the other: what a call says is in the draft is published, now or with the next.',
  'publish accepted only': 'Publishing writes the accepted changes and no others.',
  'publish all or none': 'Publishing writes one change set all or none.',
  'publish mixed formats': 'One change set holds text and office files alike.',
  'publish verifies bases': 'Every base is verified by hash before the first file is written.',
  'publish staged and synced':
    'New bytes are staged beside the target and synced before the swap, folders after it.',
  'publish reads back': 'After the swap the file is read back and its hash compared.',
  'publish keeps a checkpoint': 'The state before a publish is kept as a checkpoint.',
  'crash finished or undone':
    'After a crash at any step the next start gives the whole old or the whole new tree.',
  'no temporary files': 'After recovery no staged or kept file is left in the workspace.',
  'moved base rebased': 'A base that moved is rebased where that is proven.',
  'moved base conflict':
    'A base that moved otherwise is a conflict that is shown; nothing is overwritten.',
  'displaced bytes kept':
    'Whatever an editor saves between our check and our swap survives: it is put back, or kept and reported.',
  discard: 'A discarded draft leaves the workspace as it is.',
  undo: 'Undo brings back the bytes before a publish.',
  'undo of undo': 'Undo of an undo brings back the published bytes.',
  'permissions kept':
    'What is moved, copied, or brought back by undo and redo has the permissions it had.',
  'no git needed': 'All of it works in a folder without git, on a machine without git.',
  'unnamed bytes identical':
    'In every format, all bytes outside the footprints of the published operations are as they were.',
}
