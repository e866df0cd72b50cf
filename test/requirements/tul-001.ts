import { requirementsOf } from './requirement.ts'

/** workspace_read_file; its alias is `workspace.read_file`. */
export const tul001 = requirementsOf('TUL-001', {
  '1': {
    'whole document':
      'A model that has seen only a search snippet of a document gets all of its text with one workspace_read_file call.',
    'no disk on the server':
      'The server answers a read from the source store; a read with no client attached opens no file of the user.',
    'read only':
      'A read, successful or refused, leaves the source store, its versions, the active files and the disk as they were.',
    'docPath is the key':
      'The docPath printed in a search snippet is accepted as `path` and finds that document.',
    'active before stored':
      'For a file that is active the tool never hands out the stored version, however much older or newer it is.',
    'tool contract':
      'The tool is declared like every other tool and answers in the common result envelope.',
  },
  '2': {
    'snippet docPath':
      'Each search snippet of a document carries its DocPath, the canonical path of the whole document.',
    'snippet chunkPath':
      'Each search snippet of a document carries a ChunkPath: the docPath, `#` and the place, such as `#method:CalculateTaxes`.',
    'docPath passed on unchanged':
      "A snippet's DocPath given to workspace_read_file without any change reads the document the snippet came from.",
    'chunkPath is not a path':
      'A ChunkPath passed as `path` finds nothing, and the answer names the docPath in it as what to send.',
    'guidance docPath as given':
      "The tool's guidance tells the model to call with the DocPath exactly as the search result gave it.",
    'guidance chunkPath informs only':
      "The tool's guidance tells the model that a ChunkPath is information and is never sent to the tool.",
  },
  '3': {
    'active files per session':
      'Each session keeps its own active files, keyed by docPath; a file active in one session is not active in another.',
    'active checked first':
      'The active files are looked up before the source store: a read of an active file makes no request to the store.',
    'already in context':
      'Reading a file that is active fails with errorCode ALREADY_IN_CONTEXT and returns no content.',
    'already in context message':
      'The ALREADY_IN_CONTEXT answer has success false and a message that names the file, says that it is in the active files of this session and that this content is to be used.',
    'store when not active':
      'A file that is not active is looked up in the source store under its docPath and answered from there.',
    'not found':
      'Reading a docPath that is neither active nor in the source store fails with errorCode NOT_FOUND.',
    'not found message':
      'The NOT_FOUND answer has success false and a message that names the file, both places that were searched, and asking the person for the file as the way on.',
  },
  '4': {
    name: 'The tool is offered as workspace_read_file and answers to the name workspace.read_file too.',
    'path required':
      '`path` is a required string in the schema; a call without it fails with INVALID_ARGUMENT.',
    'maxBytes optional':
      '`maxBytes` is an optional integer in the schema; a string or a fraction fails with INVALID_ARGUMENT.',
    'maxBytes bounds content':
      'With `maxBytes` the content returned is at most that many bytes of the file.',
    'no maxBytes whole file':
      'Without `maxBytes` the result holds the entire file, up to the bound of CONTRACT §4.',
    'success true':
      'A successful read answers success true and everything about the file under `file`.',
    'file path': '`file.path` names the document that was read.',
    'file sizeBytes':
      '`file.sizeBytes` is the size of the file, even when the content was cut and beyond 2^31 bytes.',
    'file content': '`file.content` is the text of the file as a JSON string.',
    'file isTruncated':
      '`file.isTruncated` is true exactly when the content is less than the whole file.',
    'success false': 'A failed read answers success false, an errorCode and no file.',
    'error codes':
      'The codes declared for the tool include ALREADY_IN_CONTEXT, NOT_FOUND, INVALID_ARGUMENT and INTERNAL_ERROR, and no undeclared code is ever answered.',
    'errors list': 'A failed read carries `errors`, a non-empty list of sentences.',
    'session and conversation':
      'Both the success and the error answer carry sessionId and conversationId.',
  },
  '5': {
    'arguments parsed':
      'The arguments arrive as a JSON text; one that is not JSON, or not an object, fails with INVALID_ARGUMENT.',
    'path non-empty': 'An empty or blank `path` fails with INVALID_ARGUMENT.',
    'arguments before active files':
      'Bad arguments are reported as INVALID_ARGUMENT even when the file they name is active.',
    'active stops the look-up':
      'An active path is answered with ALREADY_IN_CONTEXT before `maxBytes` or the store play any part.',
    'store asked by path':
      'The store is asked for the path that the call named, after canonicalisation and nothing else: no prefix, no search for a similar name.',
    'found with maxBytes':
      'A stored file read with `maxBytes` succeeds with its beginning, cut there.',
    'missing is not found': 'A file that the store lacks is NOT_FOUND, never an empty success.',
    'unexpected is internal':
      'A fault while reading (the store throws) is answered with INTERNAL_ERROR and leaves the session usable.',
    'unexpected is logged':
      'The cause of an INTERNAL_ERROR is in the log and not in the answer to the model.',
    'store is a port':
      'The tool behaves alike over every implementation of the source store: the same suite runs on each.',
  },
})
