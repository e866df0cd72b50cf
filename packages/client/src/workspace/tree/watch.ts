import fs from 'node:fs'
import path from 'node:path'
import { parseDocPath } from '@filewright/protocol'
import type { FSWatcher } from 'chokidar'
import { isReservedName } from '../paths/temp-names.ts'
import { createChangeTeller } from './change-teller.ts'
import {
  compileRules,
  type FolderRules,
  isIgnoredBy,
  MAX_RULE_BYTES,
  RULE_FILES,
  toRuleText,
} from './ignore-rules.ts'
import type { Watching, WatchOptions } from './workspace.ts'

interface WatchRules {
  readonly ignoreCase: boolean
  /** Such as our own state, which changes with every report. */
  readonly isClosed?: (relative: string) => boolean
}

/** Reports the files of a folder that anyone changed, except ignored files and those in flight. */
export async function watchFolder(
  rootPath: string,
  { onChange, onError, ...ruleOptions }: WatchOptions & WatchRules,
): Promise<Watching> {
  const { watch } = await import('chokidar') // only long-lived processes need it
  const rules = createRules(rootPath, ruleOptions)
  const teller = createChangeTeller({ onChange, onError })

  function note(file: string) {
    const relative = toRelative(rootPath, file)
    if (RULE_FILES.has(path.posix.basename(relative))) rules.forget()
    const docPath = parseDocPath(relative)
    if (!docPath.ok || rules.isIgnored(relative, false)) return
    teller.note(docPath.value)
  }

  let isInTrouble = false
  let watched: string | undefined
  function begin(): FSWatcher {
    watched = identityOf(rootPath)
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
    watcher.on('unlinkDir', folder => {
      if (toRelative(rootPath, folder) === '') watched = undefined
    })
    return watcher.on('error', error => {
      if (!isInTrouble) onError(error) // a system that cannot watch more folders reports it for each of them
      isInTrouble = true
    })
  }

  /** A watcher gets no more events of a removed folder, even when it or another comes back. */
  function look() {
    const found = identityOf(rootPath)
    if (found === watched) return
    watched = undefined
    if (found === undefined) return
    const former = watcher
    rules.forget()
    watcher = begin().once('ready', () => teller.noteAll())
    former.close().catch(onError)
  }

  let watcher = begin()
  await ready(watcher)
  const looking = setInterval(look, LOOK_MS).unref()
  return {
    async close() {
      clearInterval(looking)
      await watcher.close()
      await teller.close()
    },
  }
}

const LOOK_MS = 1_000 // delay before a restored folder is watched again

/** Identity of the current folder; undefined: none, or a link. */
function identityOf(rootPath: string): string | undefined {
  try {
    const found = fs.lstatSync(rootPath, { bigint: true })
    return found.isDirectory() ? `${found.dev}:${found.ino}` : undefined
  } catch {
    return undefined
  }
}

function ready(watcher: FSWatcher): Promise<void> {
  return new Promise(resolve => watcher.once('ready', () => resolve()))
}

/** The rules of the folders on the way to a path, read on first use. */
function createRules(rootPath: string, { ignoreCase, isClosed }: WatchRules) {
  const folders = new Map<string, FolderRules>()

  function rulesOf(folder: string): FolderRules {
    const known = folders.get(folder)
    if (known) return known
    const above = folder === '' ? null : rulesOf(parentOf(folder))
    const load = (name: string) => {
      const text = readRuleFile(path.join(rootPath, folder, name))
      return text === undefined ? null : compileRules(text, ignoreCase)
    }
    const [git, own] = [load('.gitignore'), load('.filewrightignore')]
    const rules = { path: folder, above, git, own }
    folders.set(folder, rules)
    return rules
  }

  /** A path in an ignored folder is ignored, even if its own name is not. */
  function isIgnored(relative: string, isFolder: boolean): boolean {
    const segments = relative.split('/')
    if (segments.some(isReservedName) || isClosed?.(relative)) return true
    return segments.some((_, i) => {
      const part = segments.slice(0, i + 1).join('/')
      const isInner = i < segments.length - 1
      return isIgnoredBy(part, isInner || isFolder, rulesOf(parentOf(part)))
    })
  }

  return { isIgnored, forget: () => folders.clear() }
}

// links are not followed, as in git; opening a pipe must not wait for a writer
const OPEN_RULES =
  fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)

function readRuleFile(file: string): string | undefined {
  let opened: number | undefined
  try {
    opened = fs.openSync(file, OPEN_RULES)
    const status = fs.fstatSync(opened)
    if (!status.isFile() || status.size > MAX_RULE_BYTES) return undefined
    return toRuleText(fs.readFileSync(opened))
  } catch {
    return undefined // absent, or not ours to read
  } finally {
    if (opened !== undefined) fs.closeSync(opened)
  }
}

function parentOf(relative: string): string {
  const slash = relative.lastIndexOf('/')
  return slash < 0 ? '' : relative.slice(0, slash)
}

function toRelative(rootPath: string, file: string): string {
  return path.relative(rootPath, file).split(path.sep).join('/')
}
