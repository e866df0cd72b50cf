import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §2. */
export const files: SectionEntries[string] = {
  // docPath
  'docPath folds case':
    'A docPath is made by NFC, lower case and NFC again, as the committed test vectors say.',
  'docPath separators': 'A docPath uses `/` and has none at its beginning.',
  'docPath segments': 'A docPath has no empty, `.` or `..` segment.',
  'docPath vectors':
    'The committed vectors (composed and decomposed accents, Turkish and Greek capitals, separators) all give the docPath written next to them.',
  'docPath only key':
    'Every store, draft, log row and tool result that names a file names it by docPath.',
  'any spelling looked up':
    'Capitals, backslashes and a leading `./` in a path that a model sends find the same file.',
  'result has docPath and path':
    'A result that names a file gives two things: `docPath` to look it up by, and `path` as its folders and name are spelled on disk.',
  'create keeps folder spelling':
    'Creating `SRC/new.txt` where the folder is spelled `Src` puts the file into `Src`.',
  'folding files both listed':
    '`A.txt` and `a.txt` side by side on one disk give two entries in a listing.',
  'folding files both refused':
    'With `A.txt` and `a.txt` side by side, reading or writing either one is refused with a conflict that names the two spellings.',
  // sha256 and version
  'sha256 of exact bytes':
    'sha256 is over the exact bytes of the file, in lower-case hex; a change of line ends or BOM changes it.',
  'sha256 alone guards':
    'A write is admitted or refused by the sha256 of the bytes alone; size, time and contentHash play no part.',
  'version is a prefix': 'A version is a prefix of the sha256 of at least 8 hex digits.',
  'version too short': 'A version of fewer than 8 hex digits is refused.',
  'version resolved first':
    'A version is resolved to the full hash among the versions of its docPath before anything else happens with it.',
  'version of its own docPath': 'A version that exists only for another docPath does not resolve.',
  'version wherever sha256':
    'Wherever a tool asks for a hash, the version of that content does as well as all 64 digits.',
  'version ambiguous':
    'A prefix of several versions is refused with AMBIGUOUS_VERSION and the candidates are listed.',
  'hash cache':
    'Listing an unchanged tree a second time hashes nothing; a new inode, size, mtime or ctime makes a file be hashed afresh.',
  'version null in listings': 'A listed file that was never hashed has version null.',
  'guard hashes bytes':
    'A guard reads and hashes the bytes: a file whose content changed with its size and times kept is still noticed.',
  // contentHash
  contentHash:
    'contentHash folds CRLF and CR to LF, encodes as UTF-8 and is the SHA-256 in lower-case hex.',
  'contentHash never guards':
    'A contentHash given where a sha256 is expected does not admit a write, where the two differ.',
  'contentHash vectors': 'The committed vectors of contentHash all hold.',
  // text
  'text keeps encoding': 'An edit keeps the encoding of the file.',
  'text keeps BOM': 'An edit keeps a BOM that is there and adds none.',
  'text keeps terminators':
    'An edit keeps the terminator of every line that it did not touch, in files with mixed ends too.',
  'text keeps final newline': 'An edit keeps the presence or the absence of a final newline.',
  'utf-8 edited by bytes':
    'In a UTF-8 file, invalid sequences included, every byte that no change named is the same afterwards.',
  'utf-16 edited by bytes':
    'In a UTF-16 file with a BOM, of either byte order, every byte that no change named is the same afterwards.',
  'legacy edited by bytes':
    'In a single-byte legacy file every byte that no change named is the same afterwards.',
  'unencodable refused':
    "A change that brings a character which the file's encoding lacks is refused with the character and the encoding, and nothing is written.",
  'line ends LF or CRLF': 'LF and CRLF end a line; no other character does.',
  'lone CR is text': 'A lone CR, a form feed and U+2028 are text within their line.',
  'BOM not in line 1': 'The text of line 1 does not begin with the BOM.',
  'empty file has no lines':
    'An empty file has 0 lines; an insert after line 0 is the only change it takes.',
  'ascii is utf-8': 'A file of ASCII bytes only is reported as utf-8.',
  'replaced line keeps terminator':
    'Replaced lines take, in order, the terminators of the lines that they replace.',
  'further lines take terminator before':
    'When more lines come than were replaced, each extra one ends as the line above it in the result does.',
  'top lines take terminator of line 1': 'Lines inserted at the top take the terminator of line 1.',
  'empty file takes LF': 'Lines inserted into an empty file end with LF.',
  'final newline stays':
    'The final newline belongs to the file: deleting or replacing the last line, or adding lines after it, leaves it as it was.',
  'final newline asked': '`finalNewline` adds or removes the final newline when it says so.',
  'unterminated line inside':
    'When the unterminated last line gets a line after it, it ends as the line above it does; a file of one such line falls back to line 1 and then to LF.',
  'created text':
    'workspace_create_file and write_text_file write a new file as UTF-8 without BOM and with LF.',
  'replacing keeps CRLF':
    'Replacing a CRLF file with either tool keeps CRLF and says so in a warning.',
  'eol lf converts': 'Replacing a CRLF file with `eol: "lf"` writes LF.',
  // the view of the model
  'view header':
    'The text shown to the model opens with a header: path, version, which lines of how many, line ends, encoding.',
  'view numbered': 'The text shown to the model has every line behind its number and a `|`.',
  'json content verbatim':
    'The JSON result of a text read has `content` verbatim, without numbers.',
  // active files
  'active by mention': 'A file that a person mentions as `@path` becomes active.',
  'active by drop': 'A file dropped into the chat becomes active.',
  'active by editor': 'A file open in an attached editor is active while it is open there.',
  'active by api': 'A file is added to the active files by the API.',
  'active by cli': 'A file is added to the active files by the command line.',
  'active removed': 'Each active file can be removed, however it was added.',
  'active text in prompt': 'The text of an active file is in the prompt, in a late layer.',
  'active buffer first':
    'For an active file with unsaved text the prompt contains the unsaved text.',
  'active as the draft has it':
    'A model that works in a draft is sent an active file as the draft has it; one that works on the disk as it is there.',
  'active other formats map': 'Of an active file that is not text only its map is sent.',
  'already in context is true':
    'ALREADY_IN_CONTEXT is answered only while the content is in the prompt now.',
  'active too large not sent':
    'The prompt lists an active file above the bound as "not sent"; workspace_read_file then returns its content instead of ALREADY_IN_CONTEXT.',
  'active sent again':
    'After a compaction or a restore the active files are in the next prompt again.',
  'unsaved buffer is no head':
    'An unsaved buffer has its own version, which never becomes a head of the store.',
  'patch on unsaved buffer':
    'A patch whose base is unsaved text ends in one of three ways: the editor applies it, it is rebased to the file on disk, or it fails with CONFLICT and the words "unsaved changes".',
  // sources
  'active over store': 'Where a file is active and stored, the active content counts.',
  'search never a base':
    'A search result carries nothing that a write accepts as a base unless the file was read.',
  'server opens no user file': 'The server process opens no file of a workspace.',
  'store reads through':
    'With a client attached, each read first learns the present hash of the file from it.',
  'bytes only if new':
    'Reading through takes the bytes from the client only when the store does not hold that hash.',
  'client away warns':
    'With the client away a read serves the head of the store and carries a warning.',
  'blobs raw': 'File bytes travel as raw streamed blobs addressed by their hash.',
  'blobs resumable': 'A broken transfer of a blob continues where it stopped.',
  'no base64':
    'Calls, journal rows and results carry hashes of files and never their bytes in base64.',
  // ignored
  'honours gitignore':
    'The workspace toolset leaves out what `.gitignore` files name, nested files and negation included.',
  'built-in ignore list':
    'The workspace toolset leaves out `.git`, `node_modules`, `bin`, `obj`, `dist` and the like.',
  'honours filewrightignore': 'The workspace toolset leaves out what `.filewrightignore` names.',
  'ignored nowhere listed': 'An ignored path is absent from lists, watching and search.',
  'ignored by exact name': 'Naming an ignored file exactly still reads and writes it.',
  'workshop folds ignored folders':
    'The workshop lists every file, but an ignored folder as one line with a count.',
  'key files listed': 'Key files (`.env`, `*.pem`, `id_rsa`, `.npmrc` and the like) are listed.',
  'key files not read': 'A key file is not read, indexed or uploaded; the answer is PRIVATE_FILE.',
  'key files exact':
    'Key files are recognised by exact names and endings: `environment.env.md` is not one.',
  'key files allowed': 'A key file is read once a person allows it.',
  'large tree asked':
    "Opening a home folder, a disk's root or more than 100,000 files first asks the person, and no file is scanned before the answer.",
}
