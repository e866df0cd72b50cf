/** One file of a diff, as somebody else wrote it. */
export interface DiffFile {
  /** As its header spells it, without `a/` and `b/`; undefined for hunks without a header. */
  readonly path?: string
  readonly action: 'change' | 'create' | 'delete'
  readonly hunks: readonly DiffHunk[]
}

export interface DiffHunk {
  /** Its first line in the old file, 1-based; models often count it wrong. */
  readonly start?: number
  readonly rows: readonly DiffRow[]
}

export interface DiffRow {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  /** The mark below it says that the file ends here without a newline. */
  readonly isUnended?: boolean
}

/** Reads a unified diff, or the `*** Begin Patch` form; undefined if the text is neither. */
export function parseDiff(text: string): readonly DiffFile[] | undefined {
  const files: OpenFile[] = []
  for (const line of text.replace(/\r?\n$/, '').split(/\r?\n/)) readLine(line, files)
  const read = files.filter(({ hunks, action }) => hunks.length > 0 || action !== 'change')
  return read.length > 0 ? read : undefined
}

interface OpenFile {
  path?: string
  action: DiffFile['action']
  hunks: { start?: number; rows: DiffRow[] }[]
  /** `---` was read, and `+++` is next: a deleted line may look like a header. */
  awaitsNew?: boolean
}

const ACTIONS = { Update: 'change', Add: 'create', Delete: 'delete' } as const

function readLine(line: string, files: OpenFile[]) {
  const named = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line)
  if (named) {
    files.push({
      path: named[2]!.trim(),
      action: ACTIONS[named[1] as keyof typeof ACTIONS],
      hunks: [],
    })
    return
  }
  const file = files.at(-1)
  if (file?.awaitsNew && line.startsWith('+++ ')) nameNew(line, file)
  else if (isOldHeader(line, file)) files.push(fromOld(line))
  else if (line.startsWith('@@')) openHunk(line, files)
  else if (!/^\*\*\* |^diff |^index /.test(line)) readRow(line, file)
}

/** `--- a/x` begins a file; inside a hunk it is a deleted line that begins with `-- `. */
function isOldHeader(line: string, file: OpenFile | undefined): boolean {
  return line.startsWith('--- ') && /^--- ("?a\/|\/dev\/null)/.test(line)
    ? true
    : line.startsWith('--- ') && (file === undefined || file.hunks.length === 0)
}

function fromOld(line: string): OpenFile {
  const path = nameIn(line)
  return path === undefined
    ? { action: 'create', hunks: [], awaitsNew: true }
    : { path, action: 'change', hunks: [], awaitsNew: true }
}

function nameNew(line: string, file: OpenFile) {
  const path = nameIn(line)
  file.awaitsNew = false
  if (path === undefined) file.action = 'delete'
  else file.path = path
}

function nameIn(header: string): string | undefined {
  const [name = ''] = header.slice(4).split('\t')
  const bare = name.trim().replace(/^"(.*)"$/, '$1')
  return bare === '/dev/null' ? undefined : bare.replace(/^[ab]\//, '')
}

function openHunk(line: string, files: OpenFile[]) {
  if (files.length === 0) files.push({ action: 'change', hunks: [] })
  const numbers = /^@@+ -(\d+)(?:,(\d+))?/.exec(line)
  const start = numbers ? Number(numbers[1]) + (numbers[2] === '0' ? 1 : 0) : undefined
  files.at(-1)!.hunks.push({ ...(start !== undefined && { start }), rows: [] })
}

function readRow(line: string, file: OpenFile | undefined) {
  const hunk = file?.hunks.at(-1)
  if (!hunk) return
  const last = hunk.rows.at(-1)
  if (line.startsWith('\\')) {
    if (last) hunk.rows[hunk.rows.length - 1] = { ...last, isUnended: true }
    return
  }
  const [sign = ''] = line
  if (sign === ' ' || sign === '-' || sign === '+') hunk.rows.push({ sign, text: line.slice(1) })
  else hunk.rows.push({ sign: ' ', text: line }) // an empty line that lost its space
}
