import fs from 'node:fs'
import path from 'node:path'
import { type DocPath, parseDocPath } from '@filewright/protocol'
import type { FSWatcher } from 'chokidar'
import {
  compileRules,
  type FolderRules,
  isIgnoredBy,
  RULE_FILES,
  toFolderRules,
} from './ignore-rules.ts'
import { isReservedName } from './temp-names.ts'
import type { Watching, WatchOptions } from './workspace.ts'

const QUIET_MS = 100 // a save is often several events
const LONGEST_MS = 1_000 // a build that writes all the time is told about meanwhile
const MOST_NAMES = 1_000 // beyond this the names help nobody

/**
 * Tells which files of a folder changed, by whomever; ignored ones and those in flight are left out. One telling at a
 * time: what changes while the listener is busy is collected, and told as "everything" when it is too much to name.
 */
export async function watchFolder(
  rootPath: string,
  { onChange, onError, ignoreCase }: WatchOptions & { readonly ignoreCase: boolean },
): Promise<Watching> {
  const { watch } = await import('chokidar') // only long-lived processes pay for it
  const rules = createRules(rootPath, ignoreCase)
  let changed = new Set<DocPath>()
  let isAll = false
  let since = 0
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> | undefined

  function note(file: string) {
    const relative = toRelative(rootPath, file)
    if (RULE_FILES.has(path.posix.basename(relative))) rules.forget()
    const docPath = parseDocPath(relative)
    if (!docPath.ok || rules.isIgnored(relative, false)) return
    if (changed.size < MOST_NAMES) changed.add(docPath.value)
    else isAll = isAll || !changed.has(docPath.value)
    schedule()
  }

  function schedule() {
    if (telling) return
    since ||= Date.now()
    clearTimeout(timer)
    timer = setTimeout(tell, Math.max(0, Math.min(QUIET_MS, since + LONGEST_MS - Date.now())))
  }

  function tell() {
    const told = { docPaths: isAll ? [] : [...changed], isAll }
    changed = new Set()
    isAll = false
    since = 0
    telling = Promise.resolve(onChange(told))
      .catch(onError)
      .finally(() => {
        telling = undefined
        if (changed.size > 0) schedule()
      })
  }

  const watcher = watch(rootPath, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ignored: (file, stats) => {
      const relative = toRelative(rootPath, file)
      if (relative === '') return false
      return rules.isIgnored(relative, stats?.isDirectory() ?? false)
    },
  })
  watcher.on('add', note).on('change', note).on('unlink', note)
  let isInTrouble = false
  watcher.on('error', error => {
    if (!isInTrouble) onError(error) // a system that watches no more folders says so for each of them
    isInTrouble = true
  })
  await ready(watcher)
  return {
    async close() {
      clearTimeout(timer)
      await watcher.close()
      await telling
    },
  }
}

function ready(watcher: FSWatcher): Promise<void> {
  return new Promise(resolve => watcher.once('ready', () => resolve()))
}

/** The rules of the folders on the way to a path, read when they are first needed. */
function createRules(rootPath: string, ignoreCase: boolean) {
  const folders = new Map<string, FolderRules>()

  function rulesOf(folder: string): FolderRules {
    const known = folders.get(folder)
    if (known) return known
    const above = folder === '' ? null : rulesOf(parentOf(folder))
    const load = (name: string) => {
      const text = readIfThere(path.join(rootPath, folder, name))
      return text === undefined ? null : compileRules(text, ignoreCase)
    }
    const [git, own] = [load('.gitignore'), load('.filewrightignore')]
    const rules = toFolderRules({ path: folder, above, git, own })
    folders.set(folder, rules)
    return rules
  }

  /** A path in an ignored folder is ignored, whatever its own name. */
  function isIgnored(relative: string, isFolder: boolean): boolean {
    const segments = relative.split('/')
    if (segments.some(isReservedName)) return true
    return segments.some((_, i) => {
      const part = segments.slice(0, i + 1).join('/')
      const isInner = i < segments.length - 1
      return isIgnoredBy(part, isInner || isFolder, rulesOf(parentOf(part)))
    })
  }

  return { isIgnored, forget: () => folders.clear() }
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined // absent, or not ours to read
  }
}

function parentOf(relative: string): string {
  const slash = relative.lastIndexOf('/')
  return slash < 0 ? '' : relative.slice(0, slash)
}

function toRelative(rootPath: string, file: string): string {
  return path.relative(rootPath, file).split(path.sep).join('/')
}
