import createIgnore, { type Ignore } from 'ignore'
import { type Folder, type FolderEntry, isErrno, readWhole } from '../paths/folder.ts'

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
}

export interface CompiledRules {
  /** False only when no pattern can match an entry of this name: most names need no look at the patterns. */
  concern(name: string): boolean
  /** The patterns' verdict on an entry, regardless of the folders above it. */
  judge(path: string): 'ignored' | 'taken-back' | 'undecided'
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

export const MAX_RULE_BYTES = 1024 * 1024 // a larger rule file is an accident
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
    return { path, above, git, own }
  }

  async function load(folder: Folder, name: string): Promise<CompiledRules | null> {
    const status = await folder.statusOf(name).catch(nullIfErrno)
    if (status?.kind !== 'file' || status.sizeBytes > MAX_RULE_BYTES) return null
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
function isRuleFile({ name }: FolderEntry): boolean {
  return name.startsWith('.') && RULE_FILES.has(name.toLowerCase())
}

export function compileRules(text: string, ignoreCase: boolean): CompiledRules {
  const options = { ignorecase: ignoreCase, allowRelativePaths: false }
  const ignore = createIgnore(options).add(text)
  const patterns = text.split(/\r?\n/).filter(line => line.trim() !== '' && !line.startsWith('#'))
  const takenBack = new Set(patterns.filter(line => line.startsWith('!')).map(toLastPart))
  const inFolder = new Map<string, Ignore>()

  function judge(path: string) {
    let verdict = ignore.test(path)
    const folder = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
    // these rules ignore the folder, but others include it again
    if (verdict.ignored && folder !== '' && ignore.ignores(folder)) {
      let alone = inFolder.get(folder)
      if (!alone) {
        alone = createIgnore(options).add(ignore).add(takeBackAll(folder))
        inFolder.set(folder, alone)
      }
      verdict = alone.test(path)
    }
    return verdict.ignored ? 'ignored' : verdict.unignored ? 'taken-back' : 'undecided'
  }

  return {
    concern: createConcern(patterns),
    judge,
    takesBackByName: name => takenBack.has(name),
  }
}

/** Patterns for the folder and each one above it. */
function takeBackAll(folder: string): string[] {
  const segments = folder.slice(0, -1).split('/')
  return segments.map((_, depth) => {
    const path = segments.slice(0, depth + 1).join('/')
    return `!/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}/`
  })
}

/** An entry that matches a pattern has a name that matches the pattern's last part. */
function createConcern(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set<string>()
  const endings = new Set<string>()
  for (const pattern of patterns) {
    const last = toLastPart(pattern)
    if (PLAIN_NAME.test(last)) names.add(last)
    else if (last.startsWith('*.') && PLAIN_ENDING.test(last.slice(2))) endings.add(last.slice(1))
    else return () => true
  }
  return name => {
    const lower = name.toLowerCase()
    return names.has(lower) || endings.has(lower.slice(lower.lastIndexOf('.')))
  }
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
