const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

/** All limits, each with its source. A setting exists only where two users need different values. */
export const LIMITS = {
  toolCallsPerTurn: 50, // ADR-0010, Safety & Limits 1
  turnsPerRun: 50, // ADR-0010, Safety & Limits 2
  argumentDepth: 100, // CONTRACT §7 names none: ten times the depth any tool needs, and far from a stack overflow
  argumentKeys: 1_000, // CONTRACT §7 names none: of one object; each unknown one is looked up among the known
  argumentValues: 250_000, // CONTRACT §7 names none: of all arguments of a call; checking so many takes 0.1 s
  argumentLists: 100_000, // CONTRACT §7 names none: objects and lists among them, which cost more
  answeredValues: 3_000_000, // CONTRACT §7 names none: of what a client answers; a review of a whole draft
  patchChanges: 10_000, // CONTRACT §7 names none: of one batch; each has an id, a row and a fate
  toolTimeoutMs: 30_000, // ADR-0010, Safety & Limits 3; a waiting person does not count (CONTRACT §7)
  textFileBytes: 10 * MB, // CONTRACT §7: content of one created or written text file
  replacedPlaces: 250_000, // CONTRACT §7 names none: each is a refusable change of 2 to 3 KB until it is written
  draftedPlaces: 1_000_000, // CONTRACT §7 names none: publishing this many takes 20 s and 2 GB, which a small machine has
  draftedCells: 500_000, // CONTRACT §7 names none: listing this many strings takes 0.9 GB, and the engine has 1 GB
  offeredBytes: 24 * KB, // CONTRACT §4: the list of tools that a model is offered
  offeredContextShare: 0.25, // CONTRACT §4: … and never over a quarter of the context
  readBytes: 10 * MB, // CONTRACT §4: what workspace_read_file gives of a file at once
  textBytes: 512 * MB, // CONTRACT §8 names none: a text and the index of its lines fit into the engine
  resultBytes: 48 * KB, // CONTRACT §7: the part of one result that the model sees
  turnResultBytes: 160 * KB, // CONTRACT §7: … and of a turn's results
  messagePictures: 8, // CONTRACT §7 names none: of one message of a person; each costs a model about 1,500 tokens
  messagePictureBytes: 4 * MB, // CONTRACT §7 names none: of one of them; providers refuse more than 5 MB
  messagePictureSide: 8_000, // CONTRACT §7 names none: in pixels; providers refuse more
  snapshotEntries: 400, // CONTRACT §7: directory snapshot
  snapshotDepth: 4, // CONTRACT §7
  activeFileBytes: 256 * KB, // CONTRACT §7: one active file
  activeFilesBytes: 1 * MB, // CONTRACT §7: all of them
  activeFilesContextShare: 0.25, // CONTRACT §7: never over a quarter of the context
  compactionShare: 0.8, // CONTRACT §7: compaction at 80 % of the model's context
  unknownContextTokens: 32_000, // CONTRACT §7: where the model's context is unknown
  requestBodyBytes: 4 * MB, // CONTRACT §7
  sessionStreams: 256, // CONTRACT §7 names none: each row is written to all of them, which takes 10 ms for this many
  blobBytes: 2 * GB, // CONTRACT §7: a streamed blob
  inputBytes: 64 * MB, // CONTRACT §8, bounded before memory is spent: of a file that an operation takes something from
  packageEntries: 10_000, // CONTRACT §7: office package
  packagePartBytes: 256 * MB, // CONTRACT §7: one part, unpacked
  packageBytes: 1 * GB, // CONTRACT §7: all parts, unpacked
  packageRatio: 200, // CONTRACT §7: beyond `packageRatioFrom`
  packageRatioFrom: 10 * MB, // CONTRACT §7
  xmlDepth: 256, // CONTRACT §7
  xmlElements: 500_000, // CONTRACT §8, likewise: of a part that is read as a tree; sheets are scanned instead
  workbookSheets: 10_000, // CONTRACT §8, likewise: a sheet has a part, and a package 10,000 of them
  sheetMerges: 200_000, // CONTRACT §8, likewise: reading this many takes 0.3 s
  xmlAttributes: 1_000, // CONTRACT §8, bounded before memory is spent: of one element; real ones have 60 at most
  engineBytes: 1 * GB, // CONTRACT §8 leaves the figure open: room for a package at its limit
  enginePoolBytes: 1.25 * GB, // CONTRACT §8 leaves it open: of all processes together, one at its bound and a small one
  engineProcesses: 2, // CONTRACT §8 names none: one for the document that hangs, one for the others; a setting
  engineProcessesMost: 16, // CONTRACT §8 names none: more would start faster than they are used
  engineBusyMs: 50, // CONTRACT §8 names none: how long a call waits for the process that has its document open
  queryTimeoutMs: 10_000, // CONTRACT §7: table_query
  queryBytes: 512 * MB, // CONTRACT §7
  queryRows: 1_000, // CONTRACT §7
  officeTimeoutMs: 25_000, // ADR-0010, Safety & Limits 3: a call has 30 s; the rest is for drawing the pages
  officeBytes: 1.5 * GB, // CONTRACT §8 leaves it open: the data of one LibreOffice
  officeDiskBytes: 512 * MB, // CONTRACT §8, likewise: of all files that it writes, which are memory
  retentionMs: 30 * 24 * 60 * 60 * 1000, // CONTRACT §7: checkpoints and drafts
  retentionBytes: 2 * GB, // CONTRACT §7
  ignorePatterns: 1_000, // CONTRACT §8, bounded work: of one rule file, those that could match one name
  outsideServers: 16, // CONTRACT §8, bounded work: MCP servers of one run, each a process or an address
  outsideTools: 128, // CONTRACT §8, likewise: of one server; the offered list has room for fewer
  outsideStartMs: 10_000, // CONTRACT §8, likewise: until a server has said what its tools are
  outsideMessageBytes: 4 * MB, // CONTRACT §8, likewise: one message of a server; more ends it
  outsideDefinitionBytes: 16 * KB, // CONTRACT §8, likewise: one tool, as its server defines it
  outsideShownCharacters: 4_000, // CONTRACT §8, likewise: of a definition, what a person is shown and so what a model may read
  outsideAnswerBytes: 1 * MB, // CONTRACT §8, likewise: what is kept of the text of one answer
  outsideIdleMs: 5 * 60_000, // CONTRACT §8 names none: a server stays between the messages of a conversation
  treeFilesBeforeAsking: 100_000, // CONTRACT §2: a person must allow the scan of a larger tree
} as const
export type Limits = { readonly [Name in keyof typeof LIMITS]: number }
