import createIgnore, { type Ignore } from 'ignore'
import { type Folder, isErrno, readWhole } from './folder.ts'

/**
 * What is left out of lists, watching and search. Rules of a deeper folder come before those of a higher one, and
 * `.filewrightignore` before `.gitignore` before the built-in list; the first that decides, decides.
 */
export interface IgnoreRules {
  /** Rules that hold inside `folder`, at `path`, in addition to those of the folders above it. */
  enter(folder: Folder, path: string, above: FolderRules | null): Promise<FolderRules>
  /** Of an entry directly inside the folder whose rules are given; the folders above it are not ignored. */
  isIgnored(path: string, isFolder: boolean, rules: FolderRules): boolean
}

export interface FolderRules {
  readonly path: string
  readonly above: FolderRules | null
  readonly git: Ignore | null
  readonly own: Ignore | null
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
  const compiled = new Map<string, Ignore>()

  async function enter(folder: Folder, path: string, above: FolderRules | null) {
    const git = await load(folder, '.gitignore')
    const own = await load(folder, '.filewrightignore')
    return { path, above, git, own }
  }

  async function load(folder: Folder, name: string): Promise<Ignore | null> {
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

export function compileRules(text: string, ignoreCase: boolean): Ignore {
  return createIgnore({ ignorecase: ignoreCase, allowRelativePaths: false }).add(text)
}

/** Of an entry directly inside the folder whose rules are given. */
export function isIgnoredBy(path: string, isFolder: boolean, rules: FolderRules): boolean {
  for (const kind of ['own', 'git'] as const)
    for (let at: FolderRules | null = rules; at !== null; at = at.above) {
      const relative = at.path === '' ? path : path.slice(at.path.length + 1)
      const verdict = at[kind]?.test(isFolder ? `${relative}/` : relative)
      if (verdict?.ignored) return true
      if (verdict?.unignored) return false
    }
  const name = path.slice(path.lastIndexOf('/') + 1)
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
