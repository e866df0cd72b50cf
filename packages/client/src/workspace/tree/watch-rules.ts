import fs from 'node:fs'
import path from 'node:path'
import { isReservedName } from '../paths/temp-names.ts'
import {
  compileRules,
  type FolderRules,
  isIgnoredBy,
  MAX_RULE_BYTES,
  toFolderRules,
  toRuleText,
} from './ignore-rules.ts'

export interface WatchRuleOptions {
  readonly ignoreCase: boolean
  /** Such as our own state, which changes with every report. */
  readonly isClosed?: (relative: string) => boolean
}

/** The rules of the folders on the way to a path, read on first use. */
export function createWatchRules(rootPath: string, { ignoreCase, isClosed }: WatchRuleOptions) {
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
    const rules = above && !git && !own ? above : toFolderRules(folder, above, { git, own })
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
