import fs from 'node:fs'
import path from 'node:path'
import { parseDocPath } from '@filewright/protocol'
import { createChangeTeller } from './change-teller.ts'
import { createFolderWatches, type FolderWatches } from './folder-watches.ts'
import { RULE_FILES } from './ignore-rules.ts'
import type { WatchLimits } from './watch-limits.ts'
import { createWatchRules, type WatchRuleOptions } from './watch-rules.ts'
import type { Watching, WatchOptions } from './workspace.ts'

/** Reports the files of a folder that anyone changed, except ignored files and those in flight. */
export async function watchFolder(
  rootPath: string,
  {
    onChange,
    onError,
    limits,
    ...ruleOptions
  }: WatchOptions & WatchRuleOptions & { readonly limits?: Partial<WatchLimits> },
): Promise<Watching> {
  const rules = createWatchRules(rootPath, ruleOptions)
  const teller = createChangeTeller({ onChange, onError })

  function note(relative: string) {
    if (RULE_FILES.has(path.posix.basename(relative))) rules.forget()
    const docPath = parseDocPath(relative)
    if (docPath.ok && !rules.isIgnored(relative, false)) teller.note(docPath.value)
  }

  let isInTrouble = false
  function onTrouble(error: unknown) {
    if (!isInTrouble) onError(error) // a system that cannot watch more folders says so for each of them
    isInTrouble = true
  }

  let watched: string | undefined
  function begin(): FolderWatches {
    watched = identityOf(rootPath)
    return createFolderWatches(rootPath, {
      isIgnored: rules.isIgnored,
      note,
      noteAll: teller.noteAll,
      onError: onTrouble,
      onLost: beginAgain,
      onRootMoved() {
        watched = undefined // the next look begins again
      },
      limits,
    })
  }

  /** Names the changes in between as "everything". */
  function beginAgain() {
    watches.close()
    rules.forget()
    watches = begin()
    watches.ready.then(() => teller.noteAll(), onError)
  }

  /** A watcher gets no more events of a removed folder, even when it or another comes back. */
  function look() {
    const found = identityOf(rootPath)
    if (found !== watched) {
      watched = undefined
      if (found !== undefined) beginAgain()
    } else watches.look()
  }

  let watches = begin()
  await watches.ready
  const looking = setInterval(look, LOOK_MS).unref()
  return {
    async close() {
      clearInterval(looking)
      watches.close()
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
