import { type Fields, isPureRemark, isSameName } from '@filewright/protocol'

/** Names under which a batch, a file or a change may arrive. */
export const ENTRY_NAMES = {
  docPath: ['path', 'file', 'filePath', 'filename'],
  originalSha256: ['version', 'sha256', 'hash', 'sha', 'originalVersion'],
  changes: ['edits', 'patches', 'operations'],
}
export const CHANGE_NAMES = {
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
export const EDIT_NAMES = {
  search: ['find', 'oldString', 'oldStr', 'oldText', 'old', 'original'],
  replace: ['newString', 'newStr', 'newText', 'new', 'replacement', 'replaceWith'],
  all: ['replaceAll', 'everywhere'],
}
export const DIFF_NAMES = { diff: ['patch', 'unifiedDiff', 'input'] }
export const BATCH_FIELDS = ['batchLabel', 'batchKey']
export const FILE_FIELDS = ['fileKey', 'fileLabel', 'finalNewline', 'eol', 'bom']
export const CHANGE_LABELS = ['changeKey', 'description']
export const NEIGHBOURS = ['expectedBefore', 'expectedAfter']

/** The keys that were sent for these fields. */
export function namesIn<Names extends Record<string, readonly string[]>>(
  given: Fields,
  names: Names,
): { readonly [Name in keyof Names]?: string } {
  const sent = Object.keys(given).filter(each => given[each] !== undefined)
  const found = Object.entries(names).map(([name, others]) => [
    name,
    [name, ...others].flatMap(own => sent.filter(each => isSameName(own, each)))[0],
  ])
  return Object.fromEntries(found)
}

/** What was sent and not used; remarks, nulls and empty lists mean nothing. */
export function leftOf(
  given: Fields,
  used: readonly (string | undefined)[],
  where: { readonly isInEntry: boolean },
): Fields {
  const isNothing = (name: string, value: unknown) =>
    value === undefined ||
    (Array.isArray(value) && value.length === 0) ||
    isPureRemark(name, value, where)
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !used.includes(name) && !isNothing(name, value),
    ),
  )
}

export function pick(given: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names
      .filter(name => given[name] !== undefined && given[name] !== null)
      .map(name => [name, given[name]]),
  )
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined
}

export function asList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return asFields(value) ? [value] : undefined
}
