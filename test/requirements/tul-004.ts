import { requirementsOf } from './requirement.ts'

const onlyAHeading = {
  behaviour: 'The section has no text.',
  notApplicable: 'it only holds its subsections, which have their own entries',
}

/** workspace_create_file. */
export const tul004 = requirementsOf('TUL-004', {
  '1': {
    'client executes':
      'A workspace_create_file call is carried out by the attached client; with no client attached no file appears anywhere.',
    'server touches nothing':
      'The server opens, creates and stats no file of the user for this tool.',
    'in the catalog': 'The catalog that the server advertises contains the tool.',
    'whole files only':
      'The tool creates files and replaces whole files; its schema has nothing for a partial edit.',
  },
  '2': { heading: onlyAHeading },
  '2.1': {
    'new text file': 'A call with a path inside the workspace and content creates that text file.',
    'overwrite on request':
      'An existing file is replaced when `overwrite` is true and in no other case.',
    'result metadata': 'A success carries path, sizeBytes, hash, created and overwritten.',
    'any client':
      'A second, independent client that knows only the documented protocol passes the client contract suite.',
  },
  '2.2': {
    'no delete or move': 'The tool offers no way to delete, rename or move a file.',
    'no partial edit':
      'The tool offers no append or partial edit, and its guidance names the tool that edits.',
    'content as text': 'Content is written as text; there is no binary mode.',
    'no server I/O':
      'A create, from call to result, makes the server read or write no file of the user.',
  },
  '3': { heading: onlyAHeading },
  '3.1': {
    'execution location': 'The declared execution location of the tool is `client`, in every mode.',
    'server routes':
      'A call of the model is routed by the server to the client that holds the workspace.',
    'server records': 'Request and result of the call are found in the session history.',
    'client does the work':
      'The file is created by the client process, in the workspace it opened.',
    'client enforces safety':
      'The client refuses unsafe paths and oversized content even when the server let them through.',
    'client hashes': 'The client computes the hash in the result from the bytes it wrote.',
  },
  '3.2': {
    'catalog entry':
      'The catalog entry has name, description, request schema, response schema and execution location client.',
    'turn envelope':
      'The call appears in the turn envelope with its id, its name and its arguments.',
    'logs forwarding': 'The server logs that the call was made and forwarded.',
    'stores history': 'A finished call is in the stored history of its session and turn.',
    'never I/O':
      'With a server that may not touch the disk outside its store, a create still succeeds through the client.',
    'no server handler':
      'The tool has no handler on the server side: a declaration that adds one does not compile.',
  },
  '3.3': {
    'reads the envelope':
      'The client finds the call in the envelope that the server sent, by name and id.',
    'validates and confines':
      'The client validates the arguments and keeps the path inside the workspace root before it writes.',
    'makes folders': 'Missing parent folders are created.',
    'utf-8 without BOM': 'The file is written as UTF-8 and does not start with a byte order mark.',
    'line feeds': 'A new file has LF line ends, whatever line ends the content had.',
    'canonical hash': 'The hash is the canonical content hash of the bytes that were written.',
    'response contract': "The client's answer parses as the declared result of the tool.",
    'logs execution': 'The client logs that it executed the call.',
  },
  '4': { heading: onlyAHeading },
  '4.1': {
    name: 'The catalog name is workspace_create_file.',
    category: 'The tool belongs to the workspace toolset.',
    'execution location':
      'Every derived form of the catalog that has an execution location says client.',
  },
  '4.2': {
    example: 'The example request of the document is accepted and makes the file.',
    'path required': 'A call without `path` is refused.',
    'path relative':
      '`path` is relative to the workspace; folders, sub-folders and a file at the root are all accepted.',
    'path stays inside': 'An absolute `path` or one that climbs out of the root is refused.',
    'content required': 'A call without `content`, or with null, is refused.',
    'content complete': 'The file holds exactly the content sent, nothing before or after it.',
    'overwrite defaults to false': 'A call without `overwrite` behaves as with false.',
    'existing file fails':
      'With overwrite false an existing file stays as it is and the answer is FileExists.',
    'overwrite replaces':
      'With overwrite true an existing file is replaced wholly: created false, overwritten true.',
    'overwrite of nothing':
      'With overwrite true and no file there the file is created: created true, overwritten false.',
  },
  '4.3': {
    example: 'A success has the fields and types of the example response.',
    'success true': '`success` is true when the file was created or replaced as asked.',
    'success false': '`success` is false for each validation, disk or other failure.',
    message: '`message` is a short sentence about the outcome, on success too.',
    'path normalised': '`path` is the path that was used, relative to the root.',
    'path forward slashes': '`path` uses `/` even when the call used backslashes.',
    sizeBytes: '`sizeBytes` is the number of bytes now on disk, not of characters.',
    hash: '`hash` is the canonical content hash of the final file.',
    'hash vectors':
      'The hash of the committed test vectors is as written down: line ends folded to LF, UTF-8, SHA-256, lower-case hex.',
    created: '`created` is true exactly when no file was there before.',
    overwritten:
      '`overwritten` is true exactly when an existing file was replaced and the call succeeded.',
    'errorCode null': '`errorCode` is present and null on success.',
    'errorCode canonical':
      '`errorCode` on failure is one of the codes of §5.3 or a common code, such as PRIVATE_FILE.',
  },
  '5': {
    'client behaviour': {
      behaviour: 'The section describes the client.',
      notApplicable: 'an introduction; §5.1 to §5.4 have the entries',
    },
  },
  '5.1': {
    'blank path': 'An empty or blank path is refused with InvalidPath.',
    'empty content': 'Empty content makes an empty file with sizeBytes 0.',
    'null content': 'Content of null is refused and nothing is written.',
    'overwrite omitted': 'Leaving `overwrite` out on an existing file fails with FileExists.',
    'separators normalised': 'Backslashes in `path` are taken as separators.',
    'resolved against the root':
      'The path is resolved against the root of the workspace, not the working folder of the process.',
    'absolute refused': '`C:\\a.txt` and `/usr/a.txt` are refused with InvalidPath.',
    'escape refused': '`../a.txt` and `a/../../b.txt` are refused with InvalidPath.',
    'final path returned': 'The path in the answer is the one that the file really has.',
    'existing not written': 'On FileExists the file keeps its bytes, its time and its mode.',
    'parents created': 'Parent folders of any depth are made.',
    'parents failed':
      'A parent that cannot be created (a file has its name, no permission) is DirectoryCreateFailed.',
    'bytes utf-8': 'Characters outside ASCII are written as UTF-8 without a byte order mark.',
    'line ends before hashing':
      'CRLF and CR in content become LF before the hash is computed and before the bytes are written.',
    'no partial file': 'A failure while writing leaves no partly written file behind.',
    'hash of final bytes': 'The hash belongs to the bytes that a later read finds.',
    'success fields':
      'A success has success, created, overwritten, sizeBytes and hash set by what happened.',
    'failure fields': 'A failure has success false, a code and a short explanation.',
  },
  '5.2': {
    'no absolute paths': 'Every absolute form of a path is refused with InvalidPath.',
    'no drive or UNC roots': '`D:`, `D:x` and `\\\\server\\share\\x` are refused with InvalidPath.',
    'no resolution outside':
      'A path that ends up outside the root, through `..` or a link, is refused with InvalidPath.',
  },
  '5.3': {
    TooLarge:
      'Content over the limit is refused with TooLarge and nothing is written; content of exactly the limit is accepted.',
    FileExists: 'FileExists is answered when the file exists and overwrite is false.',
    InvalidPath:
      'InvalidPath is answered for an empty, absolute, escaping or otherwise impossible path.',
    DirectoryCreateFailed:
      'DirectoryCreateFailed is answered when a parent folder cannot be created.',
    WriteFailed: 'WriteFailed is answered when the disk refuses: no permission, disk full.',
    HashFailed:
      'HashFailed is answered when the file was written and the hash could not be computed.',
    UnhandledException: 'An unexpected fault is answered with UnhandledException.',
    'message clear':
      'The message of each code explains the failure without the internals of the machine.',
  },
  '5.4': {
    'atomic write':
      'New content appears whole: a reader sees the old file, the new one or, in the instant of the swap that CONTRACT §6 asks for, none; never a part.',
    'nothing partial after an error':
      'After any error answer the target is as before and no temporary file is left.',
  },
  '6': { heading: onlyAHeading },
  '6.1': {
    'in the envelope':
      'The turn that made the call hands it to the client inside its turn envelope.',
    'event Forwarded':
      'The server logs Tool.CreateFile.Forwarded with SessionId, ConversationId, TurnId, ToolName, Path and Overwrite.',
    'no I/O': 'While a create waits for its client, nothing has been written anywhere.',
    'result attached': "The client's result is one of the tool results of the same turn.",
    'event ResultReceived':
      'The server logs Tool.CreateFile.ResultReceived with Success, ErrorCode, SizeBytes and Hash.',
  },
  '6.2': {
    'event Executed':
      'The client logs Tool.CreateFile.Executed with SessionId, ConversationId, TurnId, Path, Overwrite, Success, ErrorCode, SizeBytes and Hash.',
    'event Executed on failure':
      'The event Executed is logged for a failed call too, with its code.',
    'returns the payload': 'The client answers each call with a payload of the declared shape.',
    'result sent back': 'The result reaches the server and is kept in the session history.',
  },
  '7': {
    'guidance in prompt and catalog':
      'The guidance of the tool is part of the system prompt when the tool is offered, and of the catalog.',
  },
  '7.1': {
    'short description':
      'The catalog description says: creates a new file, or replaces one when that is explicitly allowed.',
    'inputs described':
      'Each input has a description: path relative, content the full text, overwrite for an intended replacement.',
    'behaviour described':
      'The description says that an existing file fails without overwrite, that folders are made, and that the whole content is written at once.',
    'output described':
      'The declared result describes success, path, size, hash and the two flags.',
  },
  '7.2': {
    'guidance new sources': 'The guidance suggests the tool for new source and test files.',
    'guidance config and docs':
      'The guidance suggests the tool for new config, schema and documentation files.',
    'guidance full replacement':
      'The guidance suggests the tool for a full replacement with known content.',
  },
  '7.3': {
    'guidance not in place':
      'The guidance sends changes inside an existing file to the patch tool.',
    'guidance not append': 'The guidance rules out appending.',
    'guidance not binary': 'The guidance rules out binary content.',
    'guidance not outside': 'The guidance says that paths outside the workspace fail.',
  },
  '7.4': {
    'guidance full content': 'The guidance asks for the complete content of the file in one call.',
    'guidance relative path': 'The guidance asks for a relative path with its folders.',
    'guidance overwrite intended':
      'The guidance allows overwrite only when it is meant, and says to ask the person when unsure.',
    'guidance no escape': 'The guidance rules out absolute paths and `..`.',
    'guidance no edits': 'The guidance says to use the patch tool for edits.',
  },
  '7.5': {
    'directory snapshot':
      'The prompt holds a snapshot of the directory tree, cut at a stated depth.',
    'snapshot without build output':
      'The snapshot leaves out bin, obj, node_modules, .git and dist.',
    'paths of the conversation': 'The prompt lists the paths used so far in the conversation.',
    'guidance existing folders': 'The guidance prefers folders that exist over invented ones.',
    'guidance existing patterns':
      'The guidance says to follow the patterns found in the tree, such as src and tests projects.',
    'guidance related files':
      'The guidance says to put related files near each other: tests next to their implementation, services next to services.',
    'guidance new folders': 'The guidance allows a new folder only where none that exists fits.',
  },
  '7.6': {
    'guidance act': 'The guidance says to call directly when the place is clear.',
    'guidance ask':
      'The guidance says to ask one short question first when several places are plausible.',
    'gate still asks': 'A create is still put before a person, however clear the path was.',
  },
  '8': {
    'guidance in the system prompt':
      'The system prompt has the description of the tool, its guidance and the directory snapshot together.',
    'other tools refer':
      'The guidance of workspace_write_patch names workspace_create_file for new files and full replacements.',
  },
  '9': {
    approval: {
      behaviour: 'Who approved the document, and when.',
      notApplicable: 'editorial; nothing of the product can be observed',
    },
  },
})
