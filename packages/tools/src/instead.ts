import type { Instead } from '@filewright/protocol'

/** Names under which models ask for a condition, a place or a way of writing. Refused by name, never ignored. */
const DRY = ['dryRun', 'preview', 'simulate', 'validateOnly', 'checkOnly']
const GUARDS = [
  ...['ifUnchanged', 'ifMatch', 'etag', 'version', 'baseVersion', 'expectedVersion'],
  ...['sha256', 'expectedSha256', 'originalSha256', 'hash', 'expectedHash'],
]
const PLACES = [
  ...['append', 'prepend', 'insert', 'mode', 'method', 'position', 'offset', 'at'],
  ...['line', 'lineStart', 'lineEnd', 'lineCount', 'startLine', 'endLine', 'lines', 'range'],
]
const REPLACES = ['overwrite', 'force', 'replace']
const IF_NONE = [
  ...['onlyIfMissing', 'ifMissing', 'ifNotExists', 'ifExists', 'createOnly'],
  ...['failIfExists', 'skipIfExists', 'exclusive', 'noClobber'],
]
const IF_EMPTY = ['onlyIfEmpty', 'ifEmpty']
const FOLDERS = ['createDirs', 'createDirectories', 'createFolders', 'mkdir', 'parents']
const CODE = ['encoding', 'charset']

/** For every tool that writes to the draft. */
export const IN_THE_DRAFT: readonly Instead[] = [
  {
    names: DRY,
    does: 'The draft is the preview: nothing is on disk until the person publishes. Leave it out.',
  },
  {
    names: GUARDS,
    does: 'The draft keeps the version it began with, and publishing never overwrites what others changed since. Leave it out.',
  },
  {
    names: ['backup', 'createBackup'],
    does: 'The person can undo what was published. Leave it out.',
  },
]

export const WHOLE_TEXT: readonly Instead[] = [
  {
    names: PLACES,
    does: 'The content replaces the whole text; edit_text_file adds to a file or changes a part of it.',
  },
  {
    names: REPLACES,
    does: 'The content always replaces the text of a file that exists. Leave it out if you mean that.',
  },
  {
    names: [...IF_NONE, ...IF_EMPTY],
    does: 'It writes in any case; get_file_info says whether the file exists, and its size.',
  },
  { names: FOLDERS, does: 'Folders are created as needed. Leave it out.' },
  { names: CODE, does: 'It writes UTF-8; edit_text_file keeps the encoding of a file.' },
  ...IN_THE_DRAFT,
]

export const PART_OF_A_TEXT: readonly Instead[] = [
  {
    names: ['regex', 'isRegex', 'regexp', 'flags', 'ignoreCase', 'caseSensitive', 'matchCase'],
    does: 'A search is exact text. Send one edit for each spelling.',
  },
  {
    names: ['count', 'nth', 'occurrence', 'expectedReplacements', 'limit', 'first'],
    does: 'A search names one place, or every place with all: true. Add lines around it until only the place you mean has them.',
  },
  {
    names: PLACES,
    does: 'An edit finds its place by its text. To add lines, search for the line before them and replace it with itself and the new lines.',
  },
  {
    names: ['create', 'createIfMissing', 'createNew', ...IF_NONE],
    does: 'It changes a file that exists; write_text_file creates one.',
  },
  { names: CODE, does: 'The file keeps its encoding. Leave it out.' },
  ...IN_THE_DRAFT,
]

export const WHOLE_FILES: readonly Instead[] = [
  {
    names: REPLACES,
    does: 'A target that exists is refused: put a delete of it first if you mean to replace it.',
  },
  { names: IF_NONE, does: 'A missing source and an existing target are refused. Leave it out.' },
  { names: IF_EMPTY, does: 'It acts whatever the file holds; get_file_info says its size.' },
  {
    names: ['recursive', 'pattern', 'glob', 'all'],
    does: 'Each operation names one file; list_files lists those of a folder.',
  },
  { names: FOLDERS, does: 'Folders are created as needed. Leave it out.' },
  ...IN_THE_DRAFT,
]

/** For every tool whose change a person approves before it is written. */
const APPROVED: readonly Instead[] = [
  { names: DRY, does: 'A person sees the change before it is written. Leave it out.' },
  { names: ['backup', 'createBackup'], does: 'The person can undo the change. Leave it out.' },
]

export const LINES: readonly Instead[] = [
  {
    names: ['create', 'createIfMissing', 'createNew', ...IF_NONE],
    does: 'It changes files that exist; workspace_create_file creates one.',
  },
  {
    names: ['fuzzy', 'ignoreWhitespace', 'contextLines', 'tolerance'],
    does: 'Lines are compared exactly.',
  },
  ...APPROVED,
]

export const NEW_FILE: readonly Instead[] = [
  {
    names: PLACES,
    does: 'The content is the whole file; workspace_write_patch adds lines to a file or changes some.',
  },
  {
    names: GUARDS,
    does: 'workspace_write_patch guards a change by the version of its file.',
  },
  {
    names: ['force', 'replace'],
    does: 'overwrite: true replaces a file that exists.',
  },
  {
    names: IF_NONE,
    does: 'A file that exists is refused unless overwrite is true. Leave it out.',
  },
  { names: IF_EMPTY, does: 'It replaces whatever the file holds; workspace_read_file shows it.' },
  { names: FOLDERS, does: 'Folders are created as needed. Leave it out.' },
  { names: CODE, does: 'It writes UTF-8; workspace_write_patch keeps the encoding of a file.' },
  ...APPROVED,
]

export const LISTED: readonly Instead[] = [
  {
    names: ['recursive', 'depth', 'maxDepth'],
    does: 'It lists the files of all folders below. Leave it out.',
  },
]

export const READ: readonly Instead[] = [
  { names: CODE, does: 'The encoding is recognised. Leave it out.' },
]
