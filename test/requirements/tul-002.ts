import { requirementsOf } from './requirement.ts'

const onlyAHeading = {
  behaviour: 'The section has no text.',
  notApplicable: 'it only holds its subsections, which have their own entries',
}

/** workspace_write_patch: batches of line changes. */
export const tul002 = requirementsOf('TUL-002', {
  '1': {
    'one or more files': 'One call changes one file or several.',
    'sha256 of the base':
      'Each file patch names the SHA-256 of the content it was planned on, and that content alone is its base.',
    'line operations':
      'A file patch is a list of insert, replace and delete operations on lines, and no more of the file is sent.',
    'descriptions and keys':
      'A change may carry a description and a key of the model; both are optional and do not affect the applied change.',
    'client verifies':
      "Before it writes, the client compares the hash of the file on disk with the file patch's base.",
    'client applies deterministically':
      'The same batch on the same base gives the same bytes each time and on each client.',
    'client uploads':
      'After applying, the client uploads the whole new file, and the source store serves it as the new version.',
    'one wire contract':
      "The arguments, the forwarded call and the client's answer each have one declared shape that both sides parse.",
  },
  '2': { heading: onlyAHeading },
  '2.1': {
    'several files in one batch': 'A batch with changes to several files is accepted as one call.',
    'optimistic concurrency':
      'A file that changed since it was read is noticed by its hash, without any lock taken at reading.',
    'whole lines only':
      'There is no way to name a part of a line: fields such as a column or a substring are refused.',
    'labels at each level':
      'Batch, file patch and change each accept a human-readable label or description and a key.',
    'found again by id':
      'A change is found by its id after the call, to answer questions about it.',
  },
  '2.2': {
    'applying belongs to the client': {
      behaviour: 'How a client applies patches is left to another document.',
      notApplicable: 'CONTRACT §5, §6 and §8 say how batches are applied; their entries cover it',
    },
    'no merging beyond proof': {
      behaviour: 'Nothing beyond the hash and exact lines resolves a conflict.',
      notApplicable:
        'CONTRACT §5 adds the proven rebase and rules out fuzzy matches; its entries cover it',
    },
    'no binary files':
      'A patch on a binary file is refused with kind unsupported and names the tool that edits that format.',
    'no full replacement':
      'A patch has no operation that replaces a file by new content; the guidance points to workspace_create_file.',
    'diff is derived':
      'The arguments of the tool have no unified diff in them; where one is shown it was derived from the changes.',
  },
  '3': {
    'docPath only key':
      'The same docPath names the same file in the active files, the source store, search and patches; no other key is accepted.',
    'docPath lower case':
      'The docPath in every result is lower case, whatever spelling the call used.',
    'active file first': 'A patch on a file that is active is checked against the active content.',
    'store otherwise':
      'A patch on a file that is not active is checked against the version in the source store, as workspace_read_file gives it.',
    'search is no base':
      'A hash of a search snippet, or of text put together from snippets, is never accepted as a base.',
    'lines from the full file':
      'Line numbers and expected lines are compared with the full base content, as workspace_read_file numbers it.',
  },
  '4': {
    batch: 'The arguments are one batch with one or more file patches.',
  },
  '4.1': {
    example:
      'A batch with a label, a key and two files, each with its own key, label and changes, is accepted as the document shows it.',
  },
  '4.1.1': {
    'batchLabel optional':
      '`batchLabel` may be left out; given, it is stored, shown to the person and returned.',
    'batchKey optional':
      '`batchKey` may be left out; given, it is returned, and it may repeat in another batch.',
    'files required': 'A call without `files`, or with an empty list, is refused.',
    'docPath at most once':
      'A batch in which a docPath appears twice, also in two spellings, is refused with DUPLICATE_PATH and names both places.',
  },
  '4.2': {
    example:
      'A file patch with key, docPath, hash, label and changes is accepted as the document shows it.',
  },
  '4.2.1': {
    'fileKey optional': '`fileKey` may be left out; given, it is returned with the filePatchId.',
    'fileKey not for storage':
      'Two file patches with one fileKey are two file patches; neither replaces the other.',
    'docPath required': 'A file patch without `docPath` is refused and the message says which one.',
    'docPath same everywhere':
      'The docPath that the active files list, the store or a search result shows is accepted unchanged.',
    'originalSha256 required': 'A file patch without `originalSha256` is refused.',
    'sha256 of active content':
      'For an active file the hash of its active content, unsaved text included, is the accepted base.',
    'sha256 of stored content':
      'For any other file the hash that workspace_read_file returned is the accepted base.',
    'sha256 hex':
      'An `originalSha256` that is not hexadecimal, or of an impossible length, is refused.',
    'sha256 not invented':
      'A well-formed hash that no known version of the file has is refused, and the answer gives the current version.',
    'fileLabel optional': '`fileLabel` may be left out; given, it is stored, shown and returned.',
    'changes required': 'A file patch without `changes` is refused when it asks for nothing else.',
    'changes non-empty':
      'A file patch with an empty `changes` list that asks for nothing else is refused.',
  },
  '5': {
    'three operations':
      'insert, replace and delete are accepted; any other operation is refused with the three names.',
  },
  '5.1': {
    'common fields':
      'changeKey, operation and description are understood alike on all three operations.',
  },
  '5.1.1': {
    'changeKey optional': '`changeKey` may be left out; given, it is returned with the changeId.',
    'changeKey not for storage': 'Equal changeKeys in different file patches do not collide.',
    'changeId in results': 'Every change in a successful result has a changeId.',
    'changeId not needed in requests':
      'A request needs no changeId; one that the model sends does not become the id.',
    'changeId for later':
      'The changeId of a result finds the change with workspace_get_patch_change.',
    'operation required': 'A change without `operation` is refused.',
    'description optional':
      '`description` may be left out; given, it is stored, shown and returned.',
    'description informs only':
      'Two batches that differ only in descriptions apply to the same bytes.',
    'full-line rule':
      'A change that asks for part of a line is refused, and the answer says that a whole line is replaced instead.',
  },
  '5.2': {
    example: 'An insert after line 5 puts its lines between lines 5 and 6 and moves the rest down.',
    'afterLine required': 'An insert without `afterLine`, or with a negative one, is refused.',
    'afterLine zero': 'An insert with `afterLine` 0 puts its lines before line 1.',
    'newLines required': 'An insert without `newLines` is refused.',
    'newLines at least one': 'An insert with an empty `newLines` is refused.',
  },
  '5.3': {
    example: 'A replace of line 42 by two lines leaves every other line as it was.',
    'startLine required': 'A replace without `startLine`, or with one below 1, is refused.',
    'endLine required': 'A replace without `endLine`, or with one before `startLine`, is refused.',
    'endLine inclusive': 'The line at `endLine` is replaced too; equal numbers replace one line.',
    'expectedOriginalLines required': 'A replace without `expectedOriginalLines` is refused.',
    'expectedOriginalLines verbatim':
      'A replace is refused when the expected lines differ from the file in as little as one space, tab or capital.',
    'client compares expected lines':
      'The client compares the expected lines with the file on disk at the moment it applies, not only the server before.',
    'newLines required': 'A replace without `newLines` is refused.',
  },
  '5.4': {
    example:
      'A delete of lines 100 to 104, the last of them empty, removes these five and no other.',
    'startLine required': 'A delete without `startLine`, or with one below 1, is refused.',
    'endLine required': 'A delete without `endLine`, or with one before `startLine`, is refused.',
    'endLine inclusive': 'The line at `endLine` is deleted too.',
    'expectedOriginalLines required': 'A delete without `expectedOriginalLines` is refused.',
    'expectedOriginalLines verbatim':
      'A delete is refused when the expected lines differ from the file in any character.',
    'newLines forbidden':
      'A delete that carries `newLines` is refused, even when the list is empty.',
  },
  '6': {
    sorted:
      'Changes of a file are applied top to bottom, ordered by afterLine for inserts and startLine for the others.',
    'no overlap':
      'Two changes that touch one line (delete 10–12 and replace 11) are refused, and the answer names both.',
    'line ends with newline':
      'Lines are counted by the newlines of the full text, so a line ends at its newline.',
    'one canonical view':
      'The numbers and lines that workspace_read_file shows are the ones that a patch is checked against.',
  },
  '7': {
    'ids and keys': 'A result carries the ids of the server together with the keys of the model.',
  },
  '7.1': {
    batchId: 'A successful result has a batchId that no other batch has.',
    filePatchId: 'Each file patch in a successful result has its own filePatchId.',
    changeId: 'Each change in a successful result has its own changeId.',
    'retrieval by id': 'A stored batch, file patch and change are each found by their ids.',
    'ids across sessions': 'An id from one session is found from another session of the workspace.',
  },
  '7.2': {
    'keys echoed': 'batchKey, fileKey and changeKey come back unchanged, each with its id.',
    'keys in the interface': "A person who is asked sees the model's labels and keys for a change.",
    'keys in logs': 'The log entries of a batch contain its keys together with its ids.',
    'ids authoritative':
      'A key is not accepted where an id is asked for, and equal keys never mix two changes up.',
  },
  '8': { heading: onlyAHeading },
  '8.1': {
    'guidance source':
      'The guidance says that an active file is the base, and otherwise what workspace_read_file returned.',
    'guidance search':
      'The guidance says that search results are for finding files and never a base.',
  },
  '8.2': {
    'guidance full text': 'The guidance says to plan on the full text of the file.',
    'guidance copy the hash':
      'The guidance says to copy the hash or version that the server gave for exactly that text into `originalSha256`.',
    'guidance no partial hash': 'The guidance rules out hashes of snippets or of edited text.',
  },
  '8.3': {
    'guidance reason on the full file':
      'The guidance rules out edits planned on snippets or on an older version.',
    'guidance minimal': 'The guidance asks for the smallest precise set of line changes.',
  },
  '8.4': {
    'guidance whole lines':
      'The guidance says that a line is the smallest unit, and a change inside one is a replace of the whole line.',
    'no substring operation': 'The schema that the model sees has no operation below a line.',
  },
  '8.5': {
    'guidance ordered':
      'The guidance asks for one `changes` list per file, ordered, without overlap, with all fields.',
    'guidance description':
      'The guidance suggests a description where it helps to explain the intent.',
  },
  '8.6': {
    'guidance one call': 'The guidance asks for one call with all files of the change.',
    'server flow':
      'The server checks the batch, stores it, gives it ids and only then forwards it to the client.',
    'client flow':
      'The client verifies the hash of each file, applies the changes and uploads the new files.',
    'new truth': 'A workspace_read_file right after a successful patch returns the new content.',
  },
  '9': {
    'envelope not throw':
      'Every expected problem is a result in the envelope; the call itself does not throw or break the stream.',
    'validation fails clearly':
      'Bad line ranges, overlaps and malformed hashes each give a failed result with a sentence that names the place.',
    'unexpected is generic':
      'An unexpected exception gives a failed result with a general sentence and none of its internals.',
    'unexpected is logged': 'The log contains the cause of an unexpected exception.',
    'log start': 'A received batch is logged when it arrives.',
    'log success': 'A stored batch is logged with its batchId, the number of files and of changes.',
    'log error':
      'A refused batch is logged with the reason, the docPath where there is one, and the problems found.',
  },
  '10': {
    'single file':
      'A well-formed patch of one file is accepted, has its ids and the declared result shape.',
    'multi-file':
      'A batch over several docPaths is accepted and each file has its own ids, key and label in the result.',
    'overlap rejected': 'Overlapping changes are rejected before anything is stored.',
    'ranges rejected': 'Invalid ranges are rejected before anything is stored.',
    'sha format rejected': 'An obviously invalid hash is rejected before anything is stored.',
    'ids always present': 'All three kinds of id are in the result though the request had none.',
    'metadata round trip':
      'batchKey, fileKey, changeKey and description come back as they were sent.',
  },
  '11': {
    'unified diff': 'A stored batch can be shown as a unified diff.',
    introspection: 'workspace_get_patch_change returns a stored change by its id.',
    'full replacement': {
      behaviour: 'A replacement of whole files could become a sibling tool.',
      notApplicable:
        'a future extension there; workspace_create_file with overwrite is that sibling (TUL-004)',
    },
    'richer metadata': {
      behaviour: 'Severity, categories and tags could be added to changes.',
      notApplicable: 'a future extension that no clause asks for',
    },
  },
})
