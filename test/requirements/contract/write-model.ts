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
  'one draft per session': 'By default a session works in one draft, its own.',
  'chat goes on': 'A conversation continues while a draft is open.',
  'draft survives a crash': 'A draft is whole after kill -9 and a restart.',
  'damaged draft told':
    'A draft whose log cannot be read is reported and kept, and other drafts go on.',
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
    'When an insertion of rows is refused, later places of the sheet move back where that is provable; otherwise those changes depend on the insertion.',
  'paragraphs inserted before':
    'When an inserted paragraph is refused, later changes of the document keep the places they meant.',
  'slides inserted before':
    'When an added slide is refused, later changes of the deck keep the slides and shapes they meant.',
  'recomputed results are consequences':
    'Recomputed formula results are shown as consequences and cannot be refused.',
  'recomputed for the accepted':
    "Formula results are computed for exactly the accepted changes, again at publish and after a rebase, with the log's clock and seed.",
  'caches prove nothing': 'Cached formula results play no part in the proof of a rebase.',
  'net changes':
    'A review has each place of a file once, in the order of the file, as the difference between base and draft, however many operations made it.',
  'net change id':
    'A net change keeps its id while its file, its place in the base and its old and new content are the same, also after the base moved.',
  'net change names operations':
    'A net change names the operations that refusing it narrows or drops.',
  'atomic is one decision': 'What one atomic operation changed is accepted or refused as one.',
  'equal neighbours grouped':
    'Equal changes of neighbouring places form a group that can be opened.',
  'edits within a paragraph': 'Each edit within one paragraph is accepted or refused alone.',
  'decisions kept':
    'A change is undecided, accepted or refused, with who, when and why; a restart keeps that.',
  'decisions on every face': 'A decision that was made on one face is shown by every other.',
  'changed change reopened':
    'A decided change that becomes another one is reopened, and that is said.',
  'refused is published nowhere': 'No face publishes a refused change.',
  'reopened waits for a person':
    'A reopened change, or a new one where something was refused, is in no publish, by --yes, auto or a rule either, until a person decides about it; such a publish exits with 9.',
  "a person's edit is accepted": 'What a person changes in the review counts as accepted by them.',
  'no tool decides': 'No tool that a model is offered accepts or refuses a change.',
  'every change decided':
    'In a workspace that requires it, nothing is published while a change is undecided.',
  'review edits':
    'A person changes a proposed text or value in the review, and that is an operation in the draft.',
  'places logged resolved':
    'An operation whose place is found by content is logged with the rows, paragraphs, slides or shapes that it resolved to, and replays to those.',
  'operations see results':
    'An operation sees the draft as it stands after the one before it, results of formulas included.',
  'live equals replayed':
    'The bytes of a draft in use and of its log replayed in a fresh process are equal.',
  'replay refuses nothing':
    'No replay of a draft refuses an operation that was accepted when it was made.',
  'unreplayable file blocks nothing':
    'A file whose part of a draft cannot be replayed keeps no other file from review and publish.',
  'document numbers are consequences':
    'Labels, references, captions and contents of a document follow the accepted changes where they are known, and cannot be refused.',
  // review
  'review lines': 'Review shows changes of text as lines.',
  'review cells': 'Review shows changes of a workbook as cells: value, formula and format.',
  'review paragraphs': 'Review shows changes of a document as paragraphs and runs.',
  'review slides': 'Review shows changes of a deck as slides and shapes.',
  'review files': 'Review shows files added, moved and deleted.',
  'publish what was reviewed':
    'A draft that went on since its review is not published by that review, and nothing is written.',
  'every operation proves a rebase':
    'For each operation of each format a moved base is rebased by a proof about what it reads and writes, or is a conflict.',
  // publish
  'draft changed in order':
    'Calls that write, publishes and discards of one draft take effect one after the other: a change that a call reports as drafted is published, now or with the next publish.',
  'publish accepted only': 'Publishing writes the accepted changes and no others.',
  'publish accepts the undecided': 'A publish without a choice accepts every undecided change.',
  'publish refuses some':
    'A publish that names changes to refuse drops those and their dependants, and accepts the rest.',
  'publish keeps the rest':
    'After a publish of named changes the others stay in the draft, on the new base, under the same ids.',
  'publish needs an undecided one':
    'A publish whose accepted change needs an undecided one fails as invalid, names it, writes nothing and leaves every change as it was.',
  'approval refuses the rest': 'In an approval, whatever is not accepted is refused.',
  'publish all or none': 'Publishing writes one change set all or none.',
  'publish mixed formats': 'One change set holds text and office files alike.',
  'publish verifies bases': 'Every base is verified by hash before the first file is written.',
  'publish staged and synced':
    'New bytes are staged next to the target and synced before the swap, folders after it.',
  'publish reads back': 'After the swap the file is read back and its hash compared.',
  'publish keeps a checkpoint': 'The state before a publish is kept as a checkpoint.',
  'crash finished or undone':
    'After a crash at any step the next start gives the whole old or the whole new tree.',
  'no temporary files': 'After recovery no staged or kept file is left in the workspace.',
  'moved base rebased': 'A text whose base moved is rebased where that is proven.',
  'moved workbook rebased':
    'A workbook that somebody saved meanwhile takes the draft where what each operation reads and writes is logically the same in both.',
  'moved document rebased': 'A document that somebody saved meanwhile takes the draft likewise.',
  'moved deck rebased': 'A deck that somebody saved meanwhile takes the draft likewise.',
  'emptiness proves nothing':
    'That a place is empty in the old and in the new bytes is no proof that it is the same place.',
  'moved base conflict': 'A base that moved otherwise is a conflict; nothing is overwritten.',
  'conflict shows both sides': 'A conflict shows what the draft has and what the disk has.',
  'undo follows a moved file':
    'Undo and redo of a file that was saved since work where the rebase is proven, and are a conflict otherwise.',
  // replacing a file
  'name never vanishes':
    'Where the disk can exchange two names, a reader always finds the replaced file, whole, also after kill -9.',
  'attributes go along':
    'A replaced file keeps its mode, owner, ACL and extended attributes; what cannot be kept is a warning.',
  'executed files asked for':
    'A file that other programs execute unasked, such as `.git/config` or a hook, is written only after a person was asked about that file by name.',
  'displaced bytes kept':
    'Whatever an editor saves between our check and our swap survives: it is put back, or kept and reported.',
  discard: 'A discarded draft leaves the workspace as it is.',
  undo: 'Undo brings back the bytes before a publish.',
  'undo of undo': 'Undo of an undo brings back the published bytes.',
  'undo from kept bytes':
    'Undo takes its bytes from the checkpoint, whatever happened to the file that was swapped out.',
  'permissions kept':
    'What is moved, copied, or brought back by undo and redo has the permissions it had.',
  'no git needed': 'All of it works in a folder without git, on a machine without git.',
  'unnamed bytes identical':
    'In every format, all bytes outside the footprints of the published operations are as they were.',
}
