import createIgnore, { type Ignore } from 'ignore'
import { type Folder, type FolderEntry, isErrno, readWhole } from './folder.ts'

/**
 * What is left out of lists, watching and search. Rules of a deeper folder come before those of a higher one, and
 * `.filewrightignore` before `.gitignore` before the built-in list; the first that decides, decides.
 */
export interface IgnoreRules {
  /**
   * Rules that hold inside `folder`, at `path`, in addition to those of the folders above it. Who has listed the folder
   * gives its entries, so that files that are not there are not looked for.
   */
  enter(
    folder: Folder,
    path: string,
    above: FolderRules | null,
    entries?: readonly FolderEntry[],
  ): Promise<FolderRules>
  /** Of an entry directly inside the folder whose rules are given; the folders above it are not ignored. */
  isIgnored(path: string, isFolder: boolean, rules: FolderRules): boolean
}

export interface FolderRules {
  readonly path: string
  readonly above: FolderRules | null
  readonly git: CompiledRules | null
  readonly own: CompiledRules | null
  /** A rule here or above may take an entry back in. */
  readonly mayTakeBack: boolean
}

export interface CompiledRules {
  readonly ignore: Ignore
  readonly mayTakeBack: boolean
  /** False only when no pattern can match an entry of this name: most are told apart without asking the patterns. */
  concern(name: string): boolean
}

export function toFolderRules(rules: Omit<FolderRules, 'mayTakeBack'>): FolderRules {
  const { above, git, own } = rules
  const mayTakeBack = [above, git, own].some(part => part?.mayTakeBack)
  return { ...rules, mayTakeBack }
}

/** Tools' own data and build output, in any folder and any capitals. A `!name` in a rule file takes one back in. */
const BUILT_IN = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
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
const OFFICE_LOCK = '~$' // what Office puts beside an open document

const MAX_RULE_BYTES = 1024 * 1024 // a larger rule file is somebody's accident
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
    return toFolderRules({ path, above, git, own })
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

/** The files that hold rules of their folder. */
export const RULE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.filewrightignore'])

/** In any capitals: on some disks they make no difference. */
function isRuleFile({ name }: FolderEntry): boolean {
  return name.startsWith('.') && RULE_FILES.has(name.toLowerCase())
}

export function compileRules(text: string, ignoreCase: boolean): CompiledRules {
  const ignore = createIgnore({ ignorecase: ignoreCase, allowRelativePaths: false }).add(text)
  const patterns = text.split(/\r?\n/).filter(line => line.trim() !== '' && !line.startsWith('#'))
  const mayTakeBack = patterns.some(pattern => pattern.startsWith('!'))
  return { ignore, mayTakeBack, concern: createConcern(patterns) }
}

/** What a pattern matches has a name that its last part matches. */
function createConcern(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set<string>()
  const endings = new Set<string>()
  for (const pattern of patterns) {
    const last = pattern.trimEnd().replace(/\/$/, '').replace(/^.*\//, '').toLowerCase()
    if (PLAIN_NAME.test(last)) names.add(last)
    else if (last.startsWith('*.') && PLAIN_ENDING.test(last.slice(2))) endings.add(last.slice(1))
    else return () => true
  }
  return name => {
    const lower = name.toLowerCase()
    return names.has(lower) || endings.has(lower.slice(lower.lastIndexOf('.')))
  }
}

// nothing that means something in a pattern, and no letter with more than one small form
const PLAIN_NAME = /^[a-z0-9 _.~@$%+-]+$/
const PLAIN_ENDING = /^[a-z0-9_~@$%+-]+$/

const RULE_KINDS = ['own', 'git'] as const

/** Of an entry directly inside the folder whose rules are given. */
export function isIgnoredBy(path: string, isFolder: boolean, rules: FolderRules): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (const kind of RULE_KINDS)
    for (let at: FolderRules | null = rules; at !== null; at = at.above) {
      const compiled = at[kind]
      // a folder that was taken back in may be ignored by the other file, and what is in it with it
      if (!compiled || !(rules.mayTakeBack || compiled.concern(name))) continue
      const relative = at.path === '' ? path : path.slice(at.path.length + 1)
      const verdict = compiled.ignore.test(isFolder ? `${relative}/` : relative)
      if (verdict.ignored) return true
      if (verdict.unignored) return false
    }
  const lower = name.toLowerCase()
  if (isFolder) return BUILT_IN.has(lower)
  return BUILT_IN_FILES.has(lower) || name.startsWith(OFFICE_LOCK) || lower === '.git'
}

async function readText(folder: Folder, name: string): Promise<string | null> {
  try {
    const file = await folder.openFile(name)
    try {
      return Buffer.from(await readWhole(file))
        .toString('utf8')
        .replace(/^\uFEFF/, '')
    } finally {
      file.close()
    }
  } catch (error) {
    return nullIfErrno(error)
  }
}

/** Gone, unreadable, or in a folder whose names may be listed and not looked at: as good as absent. */
function nullIfErrno(error: unknown): null {
  if (isErrno(error)) return null
  throw error
}
