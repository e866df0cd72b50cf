import type { Scan } from './files/scan.ts'
import type { Link } from './link/link.ts'
import type { Workspace } from './workspace/tree/workspace.ts'

/** Reports changed files to the server. */
export interface FileWatch {
  /** A person allowed the scan of the whole folder: watching that waited for it begins. */
  allowed(): void
  close(): Promise<void>
}

export interface FileWatchOptions {
  readonly workspace: Workspace
  readonly scan: Scan
  readonly link: Link
  readonly onError: (error: unknown) => void
}

/** Starts at once, unless a person must first allow the scan of the whole folder. */
export function startWatching({ workspace, scan, link, onError }: FileWatchOptions): FileWatch {
  const start = async () => {
    if (await scan.findQuestion()) return undefined
    return workspace.watch?.({
      onError,
      onChange: ({ docPaths, isAll }) =>
        link.tell([{ type: 'files-changed', docPaths, ...(isAll && { all: true }) }]),
    })
  }
  let watching = start()
  watching.catch(onError)
  return {
    allowed() {
      watching = watching.then(started => started ?? start())
      watching.catch(onError)
    },
    async close() {
      await watching.then(
        started => started?.close(),
        () => {}, // already reported
      )
    },
  }
}
