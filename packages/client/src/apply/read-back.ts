import { setTimeout } from 'node:timers/promises'
import { fail } from '@filewright/protocol'
import { type Folder, isErrno, type NodeStatus } from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import { ApplyStop, about } from './failures.ts'
import { forEachInTurn } from './in-turn.ts'
import type { PlannedFile } from './plan.ts'
import type { Staged } from './stage.ts'

export interface ReadBack {
  /** By index; 0 for deleted files. */
  readonly sizes: ReadonlyMap<number, number>
  readonly warnings: readonly string[]
}

/** The disk returned other bytes than were written: the file must not stay. */
export class SpoiltFile extends ApplyStop {
  readonly index: number

  constructor({ index, path }: PlannedFile) {
    super(
      fail(
        'WRITE_FAILED',
        `Nothing was written: reading "${path}" back did not return what was written. The disk may be full, faulty or a network disk that truncates files; the old file is back in place.`,
        { details: { path } },
      ),
    )
    this.index = index
  }
}

/**
 * Walks from the root again, so that a swapped folder is noticed, and hashes what a reader would find. A later save by
 * another program is not our failure: its bytes stay, with a warning.
 */
export async function readBack(
  files: readonly PlannedFile[],
  staged: Staged,
  { tree, fresh }: { readonly tree: Tree; readonly fresh: Tree },
): Promise<ReadBack> {
  const sizes = new Map<number, number>()
  const warnings: string[] = []
  await forEachInTurn(files, file => about(file.path, check(file)))
  return { sizes, warnings }

  async function check(file: PlannedFile): Promise<void> {
    const { index, path, name, wanted } = file
    await checkFolder(file.tempIn)
    if (wanted.sha256 === null) return
    await checkFolder(file.folderPath)
    const folder = await fresh.folder(file.folderPath)
    const found = await folder.digest(name).catch(ignoreReplaced)
    const status = staged.get(index)
    sizes.set(index, found?.sha256 === wanted.sha256 ? found.sizeBytes : (status?.sizeBytes ?? 0))
    if (found?.sha256 === wanted.sha256) return
    if (await isUntouched(folder, name, status)) throw new SpoiltFile(file)
    warnings.push(
      `"${path}" was ${found ? 'saved' : 'removed'} by another program right after it was written; that state was kept.`,
    )
  }

  async function checkFolder(folderPath: string): Promise<void> {
    const now = await fresh.folder(folderPath)
    if (now.identity === (await tree.folder(folderPath)).identity) return
    throw new ApplyStop(
      fail(
        'InvalidPath',
        `Nothing was written: the folder "${folderPath}" has since been replaced by another one.`,
      ),
    )
  }
}

/**
 * Whether nobody wrote to it since it was staged. Checked after the reading, and again: a disk may show a truncated
 * file before its new time.
 */
async function isUntouched(
  folder: Folder,
  name: string,
  staged: NodeStatus | undefined,
): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const now = await folder.statusOf(name)
    if (now?.identity !== staged?.identity || now?.mtimeMs !== staged?.mtimeMs) return false
    await setTimeout(LOOK_AGAIN_MS)
  }
  return true
}

const LOOKS = 5
const LOOK_AGAIN_MS = 20

function ignoreReplaced(error: unknown): null {
  if (isErrno(error, 'ENOENT', 'ELOOP', 'EISDIR', 'EINVAL')) return null
  throw error
}
