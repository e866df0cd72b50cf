import {
  type Fields,
  isSameName,
  parseDocPath,
  parseIfJson,
  parseVersion,
} from '@filewright/protocol'

/** Placeholder when no usable version was sent; no file has it, so the current one is offered. */
const NO_VERSION = '00000000'

const ENTRY_NAMES = {
  docPath: ['path', 'file', 'filePath', 'filename'],
  originalSha256: ['version', 'sha256', 'hash', 'sha', 'originalVersion'],
  changes: ['edits', 'patches', 'operations'],
}
const CHANGE_NAMES = {
  operation: ['type', 'op', 'action', 'kind'],
  startLine: ['start', 'lineStart', 'line', 'lineNumber'],
  endLine: ['end', 'lineEnd'],
  afterLine: ['after', 'line', 'lineNumber', 'startLine'],
  expectedOriginalLines: [
    'originalLines',
    'oldLines',
    'expectedLines',
    'expected',
    'oldText',
    'old',
  ],
  newLines: ['lines', 'newText', 'content', 'text', 'new'],
}
const OPERATIONS: Readonly<Record<string, string>> = {
  update: 'replace',
  modify: 'replace',
  edit: 'replace',
  change: 'replace',
  remove: 'delete',
  add: 'insert',
  append: 'insert',
}

/** A batch with the shape that was probably meant and the lines that were sent. Undefined if it is not a batch. */
export function repairBatch(given: unknown): Fields | undefined {
  const top = asFields(parseIfJson(given))
  if (!top) return undefined
  const isEntry = top.files === undefined && (top.changes ?? top.edits) !== undefined
  const entries = isEntry ? [top] : asList(parseIfJson(top.files))
  if (!entries) return undefined
  const files = entries.map(entry => repairEntry(asFields(entry) ?? {}))
  return { ...pick(top, ['batchLabel', 'batchKey']), files: joinDuplicates(files) }
}

function repairEntry(given: Fields): Fields {
  const { docPath, originalSha256, changes } = renamed(given, ENTRY_NAMES)
  const version = String(originalSha256 ?? '')
    .trim()
    .replace(/^sha256[:-]/i, '')
  return {
    docPath,
    originalSha256: parseVersion(version).ok ? version : NO_VERSION,
    ...pick(given, ['fileKey', 'fileLabel', 'finalNewline', 'eol', 'bom']),
    ...(changes !== undefined && {
      changes: (asList(parseIfJson(changes)) ?? []).map(change =>
        repairChange(asFields(change) ?? {}),
      ),
    }),
  }
}

function repairChange(given: Fields): Fields {
  const fields = renamed(given, CHANGE_NAMES)
  const word = String(fields.operation ?? '').toLowerCase()
  const newLines = asLines(fields.newLines)
  const expectedOriginalLines = asLines(fields.expectedOriginalLines)
  const named = OPERATIONS[word] ?? word
  const hasNew = Array.isArray(newLines) && newLines.length > 0
  const operation = named === 'delete' && hasNew ? 'replace' : named
  const labels = pick(given, ['changeKey', 'description'])
  if (operation === 'insert')
    return {
      operation,
      afterLine: asNumber(fields.afterLine),
      newLines,
      ...pick(given, ['expectedBefore', 'expectedAfter']),
      ...labels,
    }
  const startLine = asNumber(fields.startLine)
  const endLine = asNumber(fields.endLine)
  const count = Array.isArray(expectedOriginalLines) ? expectedOriginalLines.length : 1
  const end = typeof startLine === 'number' ? startLine + count - 1 : endLine
  const grows = Array.isArray(newLines) && newLines.length > count
  return {
    operation,
    startLine,
    endLine: isCutShort(endLine, end, grows) ? endLine : end,
    expectedOriginalLines,
    ...(operation !== 'delete' && { newLines }),
    ...labels,
  }
}

/**
 * A range one longer than its lines was miscounted. A longer one, or one that the new lines fill, means that lines were
 * omitted: shortening the range would leave the rest after their replacement.
 */
function isCutShort(sent: unknown, counted: unknown, grows: boolean): boolean {
  if (typeof sent !== 'number' || typeof counted !== 'number') return false
  return sent - counted > 1 || (sent - counted === 1 && grows)
}

/** Joins entries of one file that were planned on one version. */
function joinDuplicates(files: readonly Fields[]): Fields[] {
  const joined: Fields[] = []
  for (const file of files) {
    const at = joined.findIndex(
      other => isSameFile(other, file) && other.originalSha256 === file.originalSha256,
    )
    const first = joined[at]
    if (!first) joined.push(file)
    else joined[at] = { ...first, changes: [...changesOf(first), ...changesOf(file)] }
  }
  return joined
}

function changesOf({ changes }: Fields): readonly unknown[] {
  return Array.isArray(changes) ? changes : []
}

function isSameFile(a: Fields, b: Fields): boolean {
  const [one, other] = [a, b].map(({ docPath }) => parseDocPath(String(docPath)))
  return one!.ok && other!.ok && one!.value === other!.value
}

function renamed<Names extends Record<string, readonly string[]>>(
  given: Fields,
  names: Names,
): { readonly [Name in keyof Names]?: unknown } {
  const found = Object.entries(names).map(([name, others]) => {
    const sent = Object.keys(given).filter(each => given[each] !== undefined)
    const used = [name, ...others].flatMap(own => sent.filter(each => isSameName(own, each)))[0]
    return [name, used === undefined ? undefined : given[used]]
  })
  return Object.fromEntries(found)
}

function pick(given: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names
      .filter(name => given[name] !== undefined && given[name] !== null)
      .map(name => [name, given[name]]),
  )
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined
}

function asList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return asFields(value) ? [value] : undefined
}

function asLines(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\r?\n$/, '').split(/\r?\n/) : value
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value
}
