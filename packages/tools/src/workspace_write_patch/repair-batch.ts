import { type DiffHunk, parseDiff, type TextReplacement } from '@filewright/documents/text'
import { type Fields, parseDocPath, parseIfJson, parseVersion } from '@filewright/protocol'
import { repairChange, toEdit, toHunk } from './repair-change.ts'
import {
  asFields,
  asList,
  BATCH_FIELDS,
  DIFF_NAMES,
  EDIT_NAMES,
  ENTRY_NAMES,
  FILE_FIELDS,
  leftOf,
  namesIn,
  pick,
} from './sent-names.ts'

/** Placeholder when no usable version was sent; no file has it, so the current one is offered. */
const NO_VERSION = '00000000'

/**
 * A batch in the shape that was probably meant. A key that is no known synonym stays, and the strict check then refuses
 * the batch: it may ask for something that a patch does not do.
 */
export interface RepairedBatch {
  readonly labels: Fields
  readonly files: readonly RepairedFile[]
}

export interface RepairedFile {
  /** With the changes that were sent as such. */
  readonly entry: Fields
  /** Changes whose lines depend on the file. */
  readonly edits?: readonly TextReplacement[]
  readonly hunks?: readonly DiffHunk[]
  /** A diff that creates or deletes the file, which a patch does not. */
  readonly isWhole?: boolean
}

/** What was probably meant, with the lines that were sent. Undefined if it is not a batch. */
export function repairBatch(given: unknown): RepairedBatch | undefined {
  const top = asFields(parseIfJson(given))
  if (!top) return undefined
  const isEntry = top.files === undefined && hasChanges(top)
  const entries = isEntry ? [without(top, BATCH_FIELDS)] : asEntries(parseIfJson(top.files))
  if (!entries) return undefined
  const files = entries.flatMap(entry => repairEntry(asFields(entry) ?? {}))
  const left = isEntry ? {} : leftOf(top, [...BATCH_FIELDS, 'files'], { isInEntry: false })
  return { labels: { ...left, ...pick(top, BATCH_FIELDS) }, files: joinDuplicates(files) }
}

function hasChanges(top: Fields): boolean {
  const { search, diff, changes } = namesIn(top, { ...ENTRY_NAMES, ...EDIT_NAMES, ...DIFF_NAMES })
  return (search ?? diff ?? changes) !== undefined
}

/** The files of a batch may be sent as one diff. */
function asEntries(files: unknown): readonly unknown[] | undefined {
  return typeof files === 'string' ? [{ diff: files }] : asList(files)
}

function repairEntry(given: Fields): RepairedFile[] {
  const sent = namesIn(given, { ...ENTRY_NAMES, ...DIFF_NAMES })
  const version = String(given[sent.originalSha256 ?? ''] ?? '')
    .trim()
    .replace(/^sha256[:-]/i, '')
  const entry = {
    docPath: given[sent.docPath ?? ''],
    originalSha256: parseVersion(version).ok ? version : NO_VERSION,
    ...pick(given, FILE_FIELDS),
  }
  const used = [...Object.values(sent), ...FILE_FIELDS]
  const left = leftOf(given, used, { isInEntry: true })
  const diff = given[sent.diff ?? '']
  if (typeof diff === 'string') return fromDiff(diff, { ...left, ...entry })
  const edit = sent.changes === undefined ? toEdit(given, used) : undefined
  if (edit) return [{ entry: { ...edit.left, ...entry }, edits: [edit.meant] }]
  if (sent.changes === undefined) return [{ entry: { ...left, ...entry } }]
  const changes = asList(parseIfJson(given[sent.changes])) ?? []
  return [
    fromChanges(
      { ...left, ...entry },
      changes.map(each => asFields(each) ?? {}),
    ),
  ]
}

function fromDiff(text: string, entry: Fields): RepairedFile[] {
  const files = parseDiff(text) ?? []
  const isOne = files.length === 1
  return files.map(({ path, action, hunks }) => ({
    entry: { ...entry, docPath: isOne ? (entry.docPath ?? path) : path },
    hunks,
    ...(action !== 'change' && { isWhole: true }),
  }))
}

/** Searches apply one after the other, so they cannot be mixed with changes that name lines. */
function fromChanges(entry: Fields, changes: readonly Fields[]): RepairedFile {
  const edits = changes.flatMap(change => toEdit(change) ?? [])
  if (edits.length > 0 && edits.length === changes.length)
    return {
      entry: Object.assign({}, ...edits.map(({ left }) => left), entry),
      edits: edits.map(({ meant }) => meant),
    }
  const hunks = changes.flatMap(change => toHunk(change) ?? [])
  const placed = changes.filter(change => !toHunk(change)).map(repairChange)
  const left = hunks.map(hunk => hunk.left)
  return {
    entry: Object.assign({}, ...left, entry, { changes: placed }),
    ...(hunks.length > 0 && { hunks: hunks.map(({ meant }) => meant) }),
  }
}

function without(given: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
}

/** Joins entries of one file that were planned on one version. */
function joinDuplicates(files: readonly RepairedFile[]): RepairedFile[] {
  const joined = new Map<unknown, RepairedFile>()
  for (const file of files) {
    const key = keyOf(file.entry) ?? file // one without a path stays by itself
    const first = joined.get(key)
    joined.set(key, first ? joinTwo(first, file) : file)
  }
  return [...joined.values()]
}

function joinTwo(first: RepairedFile, other: RepairedFile): RepairedFile {
  const changes = [...changesOf(first.entry), ...changesOf(other.entry)]
  const edits = [...(first.edits ?? []), ...(other.edits ?? [])]
  const hunks = [...(first.hunks ?? []), ...(other.hunks ?? [])]
  return {
    entry: { ...first.entry, ...(changes.length > 0 && { changes }) },
    ...(edits.length > 0 && { edits }),
    ...(hunks.length > 0 && { hunks }),
    ...((first.isWhole || other.isWhole) && { isWhole: true }),
  }
}

function changesOf({ changes }: Fields): readonly unknown[] {
  return Array.isArray(changes) ? changes : []
}

function keyOf({ docPath, originalSha256 }: Fields): string | undefined {
  const parsed = parseDocPath(String(docPath))
  return parsed.ok ? `${originalSha256} ${parsed.value}` : undefined
}
