import type { DocPath } from '@filewright/protocol'
import type { WatchOptions } from './workspace.ts'

const QUIET_MS = 100 // a save is often several events
const LONGEST_MS = 1_000 // a build that never stops writing is still reported
const MOST_NAMES = 1_000 // more names are of no use

export interface ChangeTeller {
  note(docPath: DocPath): void
  /** Anything may have changed. */
  noteAll(): void
  /** Drops the changes noted last; resolves when the listener is idle. */
  close(): Promise<void>
}

/**
 * Collects changes until it is quiet. One report at a time: changes while the listener is busy are collected, and
 * reported as "everything" when they are too many to name.
 */
export function createChangeTeller({
  onChange,
  onError,
}: Pick<WatchOptions, 'onChange' | 'onError'>): ChangeTeller {
  let changed = new Set<DocPath>()
  let isAll = false
  let since = 0
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> | undefined

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
        if (changed.size > 0 || isAll) schedule()
      })
  }

  return {
    note(docPath) {
      if (changed.size < MOST_NAMES) changed.add(docPath)
      else isAll = isAll || !changed.has(docPath)
      schedule()
    },
    noteAll() {
      isAll = true
      schedule()
    },
    async close() {
      clearTimeout(timer)
      await telling
    },
  }
}
