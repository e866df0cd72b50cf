import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §2. */
export const files: SectionEntries[string] = {
  // docPath
  'docPath folds case':
    'A docPath is made by NFC, lower case and NFC again, as the committed test vectors say.',
  'docPath separators': 'A docPath uses `/` and has none at its beginning.',
  'docPath segments': 'A docPath has no empty, `.` or `..` segment.',
  'docPath vectors':
    'The committed vectors (composed and decomposed accents, Turkish and Greek capitals, separators) all give the docPath written beside them.',
  'docPath only key':
    'Every store, draft, log row and tool result that names a file names it by docPath.',
  'any spelling looked up':
    'Capitals, backslashes and a leading `./` in a path that a model sends find the same file.',
  'result has docPath and path':
    'Every result about a file carries `docPath`, the key, and `path`, the spelling on disk.',
  'create keeps folder spelling':
    'Creating `SRC/new.txt` where the folder is spelled `Src` puts the file into `Src`.',
  'folding files both listed': 'Two files on disk that fold to one docPath are both listed.',
  'folding files both refused':
    'A read or write of either of two files that fold to one docPath is refused with a conflict that names both spellings.',
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
  'version wherever sha256': 'Every argument that takes a sha256 takes a version too.',
  'version ambiguous':
    'A prefix of several versions is refused with AMBIGUOUS_VERSION and the candidates are listed.',
  'hash cache':
    'A listing takes hashes from a cache keyed by inode, size, mtime and ctime, and hashes nothing again that did not change.',
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
    'A new character that the encoding of the file cannot hold is refused with the reason, and nothing is written.',
  'line ends LF or CRLF': 'A line ends with LF or CRLF and with nothing else.',
  'lone CR is text': 'A lone CR, a form feed and U+2028 are text within their line.',
  'BOM not in line 1': 'The text of line 1 does not begin with the BOM.',
  'empty file has no lines':
    'An empty file has 0 lines; an insert after line 0 is the only change it takes.',
  'ascii is utf-8': 'A file of ASCII bytes only is reported as utf-8.',
  'replaced line keeps terminator':
    'Replaced lines take, in order, the terminators of the lines that they replace.',
  'further lines take terminator before':
    'Further new lines take the terminator of the line before them in the new text.',
  'top lines take terminator of line 1': 'Lines inserted at the top take the terminator of line 1.',
  'empty file takes LF': 'Lines inserted into an empty file end with LF.',
  'final newline stays':
    'The final newline belongs to the file: deleting or replacing the last line, or adding lines after it, leaves it as it was.',
  'final newline asked': '`finalNewline` adds or removes the final newline when it says so.',
  'unterminated line inside':
    'A line that ends up inside the file without a terminator takes that of the line before it, else of line 1, else LF.',
  'created text':
    'workspace_create_file and write_text_file write a new file as UTF-8 without BOM and with LF.',
  'replacing keeps CRLF':
    'Replacing a CRLF file with either tool keeps CRLF and says so in a warning.',
  'eol lf converts': 'Replacing a CRLF file with `eol: "lf"` writes LF.',
  // the view of the model
  'view header':
    'What the model sees of a text read begins with the path, the version, the lines shown of how many, the line ends and the encoding.',
  'view numbered':
    'What the model sees of a text read has each line as its number, `|` and the text.',
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
    'For an active file with unsaved text the unsaved text is what the prompt holds.',
  'active other formats map': 'Of an active file that is not text only its map is sent.',
  'already in context is true':
    'ALREADY_IN_CONTEXT is answered only while the content is in the prompt now.',
  'active too large not sent':
    'An active file too large for the bound is listed as "not sent", and reading it answers with content.',
  'active sent again':
    'After a compaction or a restore the active files are in the next prompt again.',
  'unsaved buffer is no head':
    'An unsaved buffer has a version of its own that never becomes a head of the store.',
  'patch on unsaved buffer':
    'A patch planned on an unsaved buffer goes through the attached editor, or is rebased onto the disk, or is a CONFLICT that says "unsaved changes".',
  // sources
  'active over store': 'Where a file is active and stored, the active content counts.',
  'search never a base':
    'A search result carries nothing that a write accepts as a base unless the file was read.',
  'server opens no user file': 'The server process opens no file of a workspace.',
  'store reads through':
    'While a client is attached, a read asks it for the current hash of the file.',
  'bytes only if new':
    'Reading through takes the bytes from the client only when the store does not hold that hash.',
  'client away warns':
    'With the client away a read serves the head of the store and carries a warning.',
  'blobs raw': 'File bytes travel as raw streamed blobs addressed by their hash.',
  'blobs resumable': 'A broken transfer of a blob goes on where it stopped.',
  'no base64':
    'Calls, journal rows and results carry hashes of files and never their bytes in base64.',
  // ignored
  'honours gitignore':
    'The workspace toolset leaves out what `.gitignore` files name, nested files and negation included.',
  'built-in ignore list':
    'The workspace toolset leaves out `.git`, `node_modules`, `bin`, `obj`, `dist` and the like.',
  'honours filewrightignore': 'The workspace toolset leaves out what `.filewrightignore` names.',
  'ignored nowhere listed': 'An ignored path is absent from lists, watching and search.',
  'ignored by exact name': 'An ignored file can be read and written by its exact path.',
  'workshop folds ignored folders':
    'The workshop lists every file, but an ignored folder as one line with a count.',
  'key files listed': 'Key files (`.env`, `*.pem`, `id_rsa`, `.npmrc` and the like) are listed.',
  'key files not read': 'A key file is not read, indexed or uploaded; the answer is PRIVATE_FILE.',
  'key files exact':
    'Key files are recognised by exact names and endings: `environment.env.md` is none.',
  'key files allowed': 'A key file is read once a person allows it.',
  'large tree asked':
    'A home folder, the root of a disk or a tree of more than 100,000 files is asked about before it is scanned.',
}
