import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §5. */
export const patches: SectionEntries[string] = {
  // checked before anything is stored
  'files non-empty': 'A batch without files is refused.',
  'docPath once': 'A batch that names one docPath twice is refused.',
  'base well-formed': 'A malformed sha256 or version is refused.',
  'changes non-empty': 'Empty changes are refused, unless `finalNewline`, `eol` or `bom` is given.',
  'fields per operation':
    'A field that its operation does not have, or that it lacks, is refused with the fields it takes.',
  'newLines absent on delete': 'A delete with `newLines` is refused.',
  'expected count': 'Expected lines whose number is not that of the range are refused.',
  disjoint: 'Changes that overlap are refused.',
  'inside the file':
    'A range beyond the end of a base that the server holds is refused with the number of lines.',
  'afterLine inside': 'An `afterLine` beyond the number of lines is refused.',
  'inserts in array order': 'Inserts with the same afterLine keep the order of the array.',
  'insert inside a range':
    'An insert whose place lies between two lines of one replaced or deleted range is refused as an overlap.',
  'insert at a border':
    'An insert just before or just after a replaced or deleted range is accepted.',
  'all problems at once': 'A batch with several problems is answered with all of them.',
  'problems with their path':
    'Each problem names its place in the arguments, such as files[1].changes[0].endLine.',
  'nothing stored when refused': 'A batch that fails its checks leaves nothing in the patch store.',
  // tolerated
  'tolerates JSON string':
    '`files` or `changes` sent as a JSON string is understood, with a warning.',
  'tolerates unsorted': 'Unsorted but disjoint changes are sorted, with a warning.',
  'tolerates newline inside': 'A line with its newline inside is split, with a warning.',
  'refuses number prefixes':
    'Lines with pasted `12|` prefixes are refused with a corrected change that succeeds when it is sent back.',
  'never fuzzy': 'Expected lines that differ in white space, or are only similar, never match.',
  'never first of many':
    'A block that occurs several times is never matched at its first occurrence.',
  // beyond TUL-002
  expectedBefore: 'An insert with `expectedBefore` is refused when the lines before it differ.',
  expectedAfter: 'An insert with `expectedAfter` is refused when the lines after it differ.',
  finalNewline: 'A file patch with `finalNewline` sets or removes the final newline.',
  eol: 'A file patch with `eol` turns the whole file to LF or CRLF.',
  bom: 'A file patch with `bom` adds or removes the BOM.',
  'absent stays': 'Without finalNewline, eol and bom all three stay as they are.',
  // ids
  'ids durable': 'The ids of batch, file patch and change are found again after a restart.',
  'keys echoed': 'Ids are returned with the keys, labels and descriptions of the call.',
  'own tool call ids':
    'Two calls to which the provider gave one id are two calls for us, each with its own id and result.',
  'idempotent by tool call id':
    'A call sent again under its tool call id is answered and not done again.',
  // stale base
  'store keeps the base': 'The base of a patch is still in the store after newer versions.',
  rebased:
    'A batch on an old base, whose lines and neighbours are all intact in the current file, is applied.',
  'rebased is said': 'A rebased batch says so in its result, with the new line numbers.',
  'rebased is shown': 'A rebased batch is shown as rebased to the person.',
  'approval holds': 'An approval given before a rebase holds.',
  'conflict writes nothing':
    'A batch of which one change cannot be mapped is a CONFLICT, and no file of it is written.',
  'conflict shows current lines': 'A CONFLICT gives the current lines with 3 around them.',
  'conflict gives the version': 'A CONFLICT gives the new version.',
  'conflict corrects':
    'If the block is unchanged elsewhere, a CONFLICT has a corrected change that succeeds.',
  'conflict truthful':
    'Every batch that a rebase would apply differently than intended is answered with a CONFLICT.',
  // after success
  'new version': 'A success gives the new version of each file.',
  'line map':
    'A success gives the map of old to new lines; a next patch made with it needs no read.',
  'per-change acceptance':
    'When a person accepts two of three changes of a batch, the file has those two.',
  'refusals told': 'The answer says which changes were refused and why.',
  uploaded: 'The result becomes the new version in the source store.',
  'heads swapped together':
    'All heads of a change set move by one compare-and-swap; one that moved meanwhile stops all.',
  'disk wins': 'When the upload lags, a read through gives the bytes on disk.',
  undone: 'A patch is undone as a new version; the history keeps all.',
}
