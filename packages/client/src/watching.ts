import type { Scan } from './files/scan.ts'
import type { Link } from './link/link.ts'
import type { Workspace } from './workspace/tree/workspace.ts'

/** Tells the server of files that change. */
export interface FileWatch {
  /** A person let all of the folder be looked through: what waited for that begins. */
  allowed(): void
  close(): Promise<void>
}

export interface FileWatchOptions {
  readonly workspace: Workspace
  readonly scan: Scan
  readonly link: Link
  readonly onError: (error: unknown) => void
}

/** Begins at once, unless a person is to be asked before all of the folder is looked at. */
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
        () => {}, // told before
      )
    },
  }
}
