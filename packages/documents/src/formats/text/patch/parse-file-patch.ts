import {
  counted,
  type DocPath,
  ok,
  parseDocPath,
  parseVersion,
  type Result,
} from '@filewright/protocol'
import { z } from 'zod'
import { asList, asObject, checkShape, join, Notes, refuse, show, without } from './arguments.ts'
import {
  deleteSchema,
  describePlace,
  type FilePatch,
  filePatchSchema,
  insertSchema,
  type LineChange,
  type LinePatch,
  type PatchBatch,
  patchBatchSchema,
  replaceSchema,
  sortedIndices,
  wholeFileFields,
} from './line-changes.ts'

export interface Parsed<Value> {
  readonly value: Value
  readonly warnings: readonly string[]
}

/**
 * Every check that does not need the file. Reports all problems at once, each with its place in the arguments.
 * Tolerated with a warning: lists sent as a JSON string, unsorted changes, a line that contains its newline.
 */
export function parseBatch(
  args: unknown,
): Result<Parsed<PatchBatch>, 'INVALID_ARGUMENT' | 'DUPLICATE_PATH'> {
  const notes = new Notes()
  const given = asObject(args, '', notes)
  const head = checkShape(BATCH_HEAD, given, '', notes)
  const entries = asList(given.files, 'files', notes, FILES)
  if (entries?.length === 0) notes.problem('files', 'is empty; name at least one file')
  const files = readEach(entries ?? [], notes, (entry, i) =>
    readFilePatch(entry, `files[${i}]`, notes),
  )
  const duplicates = findDuplicates(files)
  for (const { at, first, docPath } of duplicates)
    notes.problem(
      at,
      `names "${docPath}" again, which ${first} names already; put all changes of a file into one entry`,
    )
  if (notes.problems.length > 0 || !head)
    return refuse(
      notes,
      duplicates.length === notes.problems.length ? 'DUPLICATE_PATH' : 'INVALID_ARGUMENT',
    )
  return ok({ value: { ...head, files: files.map(file => file!) }, warnings: notes.warnings })
}

const BATCH_HEAD = patchBatchSchema.extend({ files: z.unknown().optional() })
const FILE_HEAD = filePatchSchema.extend({ changes: z.unknown().optional() })

/** Until there are more problems than anybody reads. */
function readEach<Each>(
  entries: readonly unknown[],
  notes: Notes,
  read: (entry: unknown, i: number) => Each,
): Each[] {
  const done: Each[] = []
  for (const [i, entry] of entries.entries()) {
    if (notes.isFull) break
    done.push(read(entry, i))
  }
  return done
}

const CHANGES = `a list of ${[insertSchema, replaceSchema, deleteSchema].map(shapeOf).join(' or ')}`
const FILES = `a list of ${shapeOf(filePatchSchema)}, the changes of each ${CHANGES}`

/** Its required fields: `{operation: "delete", startLine, …}`. */
function shapeOf(schema: z.ZodObject): string {
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    if (field instanceof z.ZodLiteral) return [`${name}: ${show(field.value)}`]
    return field.safeParse(undefined).success ? [] : [name]
  })
  return `{${fields.join(', ')}}`
}

/** The readable part of a file of a batch, with the places of its changes in the arguments. */
export interface ReadablePatch {
  readonly at: string
  readonly patch: FilePatch
  readonly indices: readonly number[]
}

/**
 * The parts of a refused batch that can still be checked against their files, so that every problem is reported at
 * once.
 */
export function readableFiles(args: unknown): readonly ReadablePatch[] {
  const notes = new Notes() // reported by `parseBatch`
  const { files } = asObject(args, '', notes)
  return (asList(files, 'files', notes) ?? []).flatMap((entry, i) => {
    const at = `files[${i}]`
    const given = asObject(entry, at, notes)
    const docPath = checkText(given.docPath, at, parseDocPath, notes)
    const originalSha256 = checkText(given.originalSha256, at, parseVersion, notes)
    if (docPath === undefined || originalSha256 === undefined) return []
    const entries = asList(given.changes, at, notes) ?? []
    const read = entries.map((change, index) => ({ index, change: readChange(change, at, notes) }))
    const found = read.flatMap(({ index, change }) => (change ? [{ index, change }] : []))
    const changes = found.map(({ change }) => change)
    return [
      {
        at,
        patch: { docPath, originalSha256, changes },
        indices: found.map(({ index }) => index),
      },
    ]
  })
}

/** One entry of `files`; `at` is its place in the arguments. */
export function parseFilePatch(
  args: unknown,
  at = 'files[0]',
): Result<Parsed<FilePatch>, 'INVALID_ARGUMENT'> {
  const notes = new Notes()
  const patch = readFilePatch(args, at, notes)
  return patch && notes.problems.length === 0
    ? ok({ value: patch, warnings: notes.warnings })
    : refuse(notes, 'INVALID_ARGUMENT')
}

/** `changes` with the properties of the whole file, as the operation `line_changes` has them. */
export function parseLinePatch(
  args: unknown,
  at = '',
): Result<Parsed<LinePatch>, 'INVALID_ARGUMENT'> {
  const notes = new Notes()
  const given = asObject(args, at, notes)
  const patch = readLinePatch(given, at, notes)
  const rest = checkShape(z.strictObject(wholeFileFields), without(given, ['changes']), at, notes)
  return rest && notes.problems.length === 0
    ? ok({ value: { ...patch, ...rest }, warnings: notes.warnings })
    : refuse(notes, 'INVALID_ARGUMENT')
}

function readFilePatch(args: unknown, at: string, notes: Notes): FilePatch | undefined {
  const given = asObject(args, at, notes)
  const head = checkShape(FILE_HEAD, given, at, notes)
  const docPath = checkText(given.docPath, join(at, 'docPath'), parseDocPath, notes)
  const version = checkText(given.originalSha256, join(at, 'originalSha256'), parseVersion, notes)
  const { changes } = readLinePatch(given, at, notes)
  if (!head || docPath === undefined || version === undefined) return undefined
  return {
    ...head,
    docPath,
    originalSha256: version,
    changes: changes.map(({ changeId: _, ...change }) => change as LineChange), // only the server assigns ids
  }
}

/** Non-strings were already reported with the shape. */
function checkText<Value>(
  given: unknown,
  at: string,
  parse: (text: string) => Result<Value>,
  notes: Notes,
): Value | undefined {
  if (typeof given !== 'string') return undefined
  const parsed = parse(given)
  if (!parsed.ok) notes.problem(at, parsed.failure.message)
  return parsed.ok ? parsed.value : undefined
}

function readLinePatch(
  given: Record<string, unknown>,
  at: string,
  notes: Notes,
): Pick<LinePatch, 'changes'> {
  const asksForMore = ['finalNewline', 'eol', 'bom'].some(field => given[field] !== undefined)
  const place = join(at, 'changes')
  if (given.changes === undefined && asksForMore) return { changes: [] }
  const entries = asList(given.changes, place, notes, CHANGES)
  if (entries?.length === 0 && !asksForMore)
    notes.problem(
      place,
      'is empty, and neither finalNewline, eol nor bom is given; say what to change',
    )
  const changes = readEach(entries ?? [], notes, (entry, i) =>
    readChange(entry, `${place}[${i}]`, notes),
  )
  checkDisjoint(changes, place, notes)
  return { changes: changes.filter(change => change !== undefined) }
}

const SCHEMAS = { insert: insertSchema, replace: replaceSchema, delete: deleteSchema }

function readChange(entry: unknown, at: string, notes: Notes): LineChange | undefined {
  const given = asObject(entry, at, notes)
  const { operation } = given
  if (operation !== 'insert' && operation !== 'replace' && operation !== 'delete') {
    const found = operation === undefined ? 'is missing' : `is ${show(operation)}`
    notes.problem(join(at, 'operation'), `${found}; it must be "insert", "replace" or "delete"`)
    return undefined
  }
  const change = checkShape(SCHEMAS[operation], splitLines(given, at, notes), at, notes)
  if (!change) return undefined
  return checkRange(change as LineChange, at, notes) ? (change as LineChange) : undefined
}

function checkRange(change: LineChange, at: string, notes: Notes): boolean {
  if (change.operation === 'insert') return true
  const { startLine, endLine, expectedOriginalLines: expected } = change
  if (endLine < startLine) {
    notes.problem(
      join(at, 'endLine'),
      `is ${endLine}, before startLine ${startLine}; it names the last line, inclusive`,
    )
    return false
  }
  const lines = endLine - startLine + 1
  if (expected.length === lines) return true
  notes.problem(
    join(at, 'expectedOriginalLines'),
    `has ${counted(expected.length, 'line')}, but lines ${startLine} to ${endLine} are ${lines}; give each line of the range, verbatim`,
  )
  return false
}

function checkDisjoint(changes: readonly (LineChange | undefined)[], place: string, notes: Notes) {
  const present = changes.flatMap((change, index) => (change ? [{ change, index }] : []))
  const order = sortedIndices(present.map(({ change }) => change))
  if (order.some((from, to) => from !== to))
    notes.warn(place, 'were not in the order of their lines and have been sorted')
  let last: { end: number; change: LineChange; index: number } | undefined
  for (const at of order) {
    const { change, index } = present[at]!
    const isInsert = change.operation === 'insert'
    const first = isInsert ? change.afterLine + 1 : change.startLine
    if (last && first <= last.end)
      notes.problem(
        `${place}[${index}]`,
        `${describe(change)} overlaps ${place}[${last.index}], ${describe(last.change)}; join them into one change`,
      )
    const end = isInsert ? 0 : change.endLine
    if (!last || end > last.end) last = { end, change, index }
  }
}

function describe(change: LineChange): string {
  return `${change.operation} ${describePlace(change)}`
}

const LINE_LISTS = ['newLines', 'expectedOriginalLines', 'expectedBefore', 'expectedAfter']

/** A line sent with its newline is split there; a single expected line may be sent as a string. */
function splitLines(
  given: Record<string, unknown>,
  at: string,
  notes: Notes,
): Record<string, unknown> {
  const split = { ...given }
  for (const field of LINE_LISTS) {
    const value = given[field]
    const isNeighbour = field === 'expectedBefore' || field === 'expectedAfter'
    const lines = isNeighbour && typeof value === 'string' ? [value] : value
    if (!Array.isArray(lines) || !lines.every(line => typeof line === 'string')) continue
    split[field] = lines
    if (!lines.some(line => line.includes('\n'))) continue
    split[field] = lines.flatMap(splitLine)
    notes.warn(join(at, field), 'contained line ends inside its lines and was split there')
  }
  return stripCarriageReturns(split, at, notes)
}

function splitLine(text: string): string[] {
  const lines = text.split(/\r?\n/)
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The CR left over from CRLF text split at LF; a line that has such an end in the file is kept. */
function stripCarriageReturns(split: Record<string, unknown>, at: string, notes: Notes) {
  const lines = split.newLines
  if (!Array.isArray(lines) || !lines.every(line => typeof line === 'string')) return split
  const expected = Array.isArray(split.expectedOriginalLines) ? split.expectedOriginalLines : []
  const isRest = (line: string) => line.endsWith('\r') && !expected.includes(line)
  if (!lines.some(isRest)) return split
  notes.warn(
    join(at, 'newLines'),
    'had lines that end with a carriage return; it was removed, and the file keeps its own line ends',
  )
  return { ...split, newLines: lines.map(line => (isRest(line) ? line.slice(0, -1) : line)) }
}

function findDuplicates(files: readonly (FilePatch | undefined)[]) {
  const places = new Map<DocPath, string>()
  return files.flatMap((file, i) => {
    const docPath = file && parseDocPath(file.docPath)
    if (!docPath?.ok) return []
    const first = places.get(docPath.value)
    if (first === undefined) places.set(docPath.value, `files[${i}]`)
    return first === undefined ? [] : [{ at: `files[${i}].docPath`, first, docPath: docPath.value }]
  })
}
