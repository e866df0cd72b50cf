import { LIMITS } from '@filewright/protocol'
import { type Folder, type FolderEntry, isErrno, readWhole } from '../paths/folder.ts'
import { type IgnorePattern, matchesPattern, parseIgnorePattern } from './ignore-pattern.ts'

/**
 * Decides which files lists, watching and search ignore. Rules of a deeper folder come before those of a higher one,
 * and `.filewrightignore` before `.gitignore` before the built-in list; the first match decides.
 */
export interface IgnoreRules {
  /**
   * Rules that apply inside `folder`, at `path`, in addition to those of the folders above it. A caller that has listed
   * the folder passes its entries, so that missing rule files are not looked for.
   */
  enter(
    folder: Folder,
    path: string,
    above: FolderRules | null,
    entries?: readonly FolderEntry[],
  ): Promise<FolderRules>
  /** For an entry directly inside the folder of the given rules; the folders above it are not ignored. */
  isIgnored(path: string, isFolder: boolean, rules: FolderRules): boolean
}

export interface FolderRules {
  readonly path: string
  readonly above: FolderRules | null
  readonly git: CompiledRules | null
  readonly own: CompiledRules | null
  /** Here or above are more rules than are matched: nobody knows what the person wants left out. */
  readonly isWithheld: boolean
  /** How many patterns an entry meets at most, with those above. */
  readonly weight: number
}

export function toFolderRules(
  path: string,
  above: FolderRules | null,
  { git, own }: Pick<FolderRules, 'git' | 'own'>,
): FolderRules {
  const isWithheld = [git, own].some(rules => rules?.isTooMany) || above?.isWithheld === true
  const weight = (git?.weight ?? 0) + (own?.weight ?? 0) + (above?.weight ?? 0)
  return { path, above, git, own, isWithheld, weight }
}

export interface CompiledRules {
  /** False only when no pattern can match an entry of this name: most names need no look at the patterns. */
  concern(name: string): boolean
  /** The patterns' verdict on an entry, regardless of the folders above it. */
  judge(path: string): 'ignored' | 'taken-back' | 'undecided'
  /** So many patterns could match one name that they are not asked at all. */
  readonly isTooMany: boolean
  /** How many patterns a name meets at most. */
  readonly weight: number
  /** A `!` with exactly this name: one for every folder does not include those of the built-in list. */
  takesBackByName(lowerCaseName: string): boolean
}

/** Git's history and settings, with any secrets in them. Git never shows it, so no rule can. */
const VERSION_CONTROL = new Set(['.git', '.hg', '.svn', '.jj'])

/** Tools' own data and build output, in any folder and any case. A `!name` in a rule file includes one again. */
const BUILT_IN = new Set([
  'node_modules',
  'bower_components',
  'bin',
  'obj',
  'dist',
  'build',
  'target',
  'coverage',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.idea',
  '.vs',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.cache',
  '.parcel-cache',
  '.terraform',
])
const BUILT_IN_FILES = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])
const OFFICE_LOCK = '~$' // Office's lock files next to open documents

export const MAX_RULE_BYTES = 1024 * 1024 // a larger rule file is an accident or an attack
const MAX_CACHED = 4096

export function createIgnoreRules(options: { readonly ignoreCase: boolean }): IgnoreRules {
  const compiled = new Map<string, CompiledRules>()

  async function enter(
    folder: Folder,
    path: string,
    above: FolderRules | null,
    entries?: readonly FolderEntry[],
  ): Promise<FolderRules> {
    if (above && entries && !entries.some(isRuleFile)) return above
    const git = await load(folder, '.gitignore')
    const own = await load(folder, '.filewrightignore')
    return toFolderRules(path, above, { git, own })
  }

  async function load(folder: Folder, name: string): Promise<CompiledRules | null> {
    const status = await folder.statusOf(name).catch(nullIfErrno)
    if (status?.kind !== 'file') return null
    if (status.sizeBytes > MAX_RULE_BYTES) return TOO_MANY
    const key = `${status.identity}:${status.sizeBytes}:${status.mtimeMs}:${status.ctimeMs}`
    const known = compiled.get(key)
    if (known) return known
    const text = await readText(folder, name)
    if (text === null) return null
    const rules = compileRules(text, options.ignoreCase)
    if (compiled.size >= MAX_CACHED) compiled.delete(compiled.keys().next().value!)
    compiled.set(key, rules)
    return rules
  }

  return { enter, isIgnored: isIgnoredBy }
}

/** The files with rules for their folder. */
export const RULE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.filewrightignore'])

/** In any case: some disks ignore it. */
export function isRuleFile({ name }: FolderEntry): boolean {
  return name.startsWith('.') && RULE_FILES.has(name.toLowerCase())
}

/**
 * Patterns are looked up by the last name of an entry, so that a name meets only those that could match it. Where they
 * could be more than the bound for some name, none is asked.
 */
export function compileRules(text: string, ignoreCase: boolean): CompiledRules {
  const lines = text.split(/\r?\n/)
  if (lines.length > MAX_LINES) return TOO_MANY
  const patterns = lines.flatMap(line => parseLine(line, ignoreCase))
  const index = indexByName(patterns)
  const takenBack = new Set(patterns.flatMap(each => (each.isTakingBack ? each.last : [])))
  if (index.most > LIMITS.ignorePatterns) return TOO_MANY

  function judge(path: string) {
    const isFolder = path.endsWith('/')
    const names = (isFolder ? path.slice(0, -1) : path).split('/')
    const folded = ignoreCase ? names.map(name => name.toLowerCase()) : names
    const found = index.find(names.at(-1)!).findLast(each => matchesPattern(each, folded, isFolder))
    if (!found) return 'undecided'
    return found.isTakingBack ? 'taken-back' : 'ignored'
  }

  return {
    isTooMany: false,
    weight: index.most,
    concern: name => index.find(name).length > 0,
    judge,
    takesBackByName: name => takenBack.has(name),
  }
}

const TOO_MANY: CompiledRules = {
  isTooMany: true,
  weight: 0,
  concern: () => false,
  judge: () => 'undecided',
  takesBackByName: () => false,
}

const MAX_LINES = 100_000 // reading more than this takes longer than a person waits

interface LinePattern extends IgnorePattern {
  /** Its last part, in lower case. */
  readonly last: string
  readonly line: number
}

function parseLine(line: string, ignoreCase: boolean): LinePattern[] {
  const pattern = line.trim() === '' ? undefined : parseIgnorePattern(line, ignoreCase)
  return pattern ? [{ ...pattern, last: toLastPart(line), line: 0 }] : []
}

interface NameIndex {
  /** Those that could match an entry of this name, in their order. */
  find(name: string): readonly LinePattern[]
  /** How many these are for the name that has most. */
  readonly most: number
}

/** An entry that matches a pattern has a name that matches the pattern's last part. */
function indexByName(patterns: readonly LinePattern[]): NameIndex {
  const names = new Map<string, LinePattern[]>()
  const endings = new Map<string, LinePattern[]>()
  const others: LinePattern[] = []
  const merged = new Map<string, readonly LinePattern[]>() // no more than there are patterns
  const add = (map: Map<string, LinePattern[]>, key: string, pattern: LinePattern) => {
    const known = map.get(key)
    if (known) known.push(pattern)
    else map.set(key, [pattern])
  }
  for (const pattern of patterns.map((each, line) => ({ ...each, line }))) {
    const { last } = pattern
    if (PLAIN_NAME.test(last)) add(names, last, pattern)
    else if (last.startsWith('*.') && PLAIN_ENDING.test(last.slice(2)))
      add(endings, last.slice(1), pattern)
    else others.push(pattern)
  }
  const find = (name: string) => {
    const lower = name.toLowerCase()
    const named = names.get(lower)
    const ended = endings.get(lower.slice(lower.lastIndexOf('.')))
    if (!named && !ended) return others
    const key = named ? lower : lower.slice(lower.lastIndexOf('.'))
    const known = merged.get(key)
    if (known) return known
    const all = [...(named ?? []), ...(ended ?? []), ...others].sort((a, b) => a.line - b.line)
    merged.set(key, all)
    return all
  }
  return { find, most: longest(names) + longest(endings) + others.length }
}

function longest(lists: ReadonlyMap<string, readonly unknown[]>): number {
  return [...lists.values()].reduce((most, { length }) => Math.max(most, length), 0)
}

function toLastPart(pattern: string): string {
  return pattern.trimEnd().replace(/\/$/, '').replace(/^!/, '').replace(/^.*\//, '').toLowerCase()
}

// no character with a meaning in patterns, and no letter with more than one lower-case form
const PLAIN_NAME = /^[a-z0-9 _.~@$%+-]+$/
const PLAIN_ENDING = /^[a-z0-9_~@$%+-]+$/

const RULE_KINDS = ['own', 'git'] as const

/** For an entry directly inside the folder of the given rules. */
export function isIgnoredBy(path: string, isFolder: boolean, rules: FolderRules): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const lower = name.toLowerCase()
  if (VERSION_CONTROL.has(lower)) return true
  const isBuiltIn = isFolder
    ? BUILT_IN.has(lower)
    : BUILT_IN_FILES.has(lower) || name.startsWith(OFFICE_LOCK)
  for (const kind of RULE_KINDS)
    for (let at: FolderRules | null = rules; at !== null; at = at.above) {
      const compiled = at[kind]
      if (!compiled?.concern(name)) continue
      const relative = at.path === '' ? path : path.slice(at.path.length + 1)
      const verdict = compiled.judge(isFolder ? `${relative}/` : relative)
      if (verdict === 'ignored') return true
      if (verdict === 'taken-back' && (!isBuiltIn || compiled.takesBackByName(lower))) return false
    }
  return isBuiltIn
}

async function readText(folder: Folder, name: string): Promise<string | null> {
  try {
    const file = await folder.openFile(name)
    try {
      return toRuleText(await readWhole(file))
    } finally {
      file.close()
    }
  } catch (error) {
    return nullIfErrno(error)
  }
}

export function toRuleText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
}

/** Gone, unreadable, or in a folder that can be listed but not entered: treated as absent. */
function nullIfErrno(error: unknown): null {
  if (isErrno(error)) return null
  throw error
}
