import {
  type Failure,
  fail,
  folderIsFile,
  type RelativePath,
  type Sha256,
  toDocPath,
} from '@filewright/protocol'
import {
  type Allocate,
  type FileAttributes,
  type NodeStatus,
  readWhole,
} from '../workspace/paths/folder.ts'
import type { LocateCode, Place, Tree } from '../workspace/paths/local-path.ts'
import { splitPath } from '../workspace/paths/split-path.ts'
import { type TempNames, tempNames } from '../workspace/paths/temp-names.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import type { WantedFile, WantedSet } from './change-set.ts'
import { ApplyStop, about, conflict } from './failures.ts'
import { forEachInTurn } from './in-turn.ts'
import type { Intent } from './journal.ts'
import type { ConflictingFile } from './ports.ts'

/** A file with a known place; `compareBases` compares its base. */
export interface PlannedFile {
  readonly index: number
  readonly wanted: WantedFile
  /** The present or future path of the bytes, never through a link. */
  readonly path: RelativePath
  /** The link that led there. */
  readonly link?: RelativePath
  readonly folderPath: RelativePath | ''
  readonly name: string
  readonly temp: TempNames
  readonly tempIn: RelativePath | ''
  /** Status of the base; null for a new file. */
  readonly status: NodeStatus | null
  /** Permissions and owner for the new file; undefined: those of the base, or a new file's. */
  readonly attributes?: FileAttributes
  /** The bytes of the base. Null for a large one: it is compared while its new content is staged. */
  readonly base: Uint8Array | null
}

export interface Plan {
  readonly files: readonly PlannedFile[]
  /** To be created, outermost first. */
  readonly folders: readonly RelativePath[]
  readonly warnings: readonly string[]
}

const HELD_FILE_BYTES = 4 * 1024 * 1024 // larger bases are streamed
const HELD_BYTES = 64 * 1024 * 1024 // … and so are all bases after this many bytes of small ones

/** Finds every place and reads every base small enough to hold. Stops at conflicts, and reports all of them. */
export async function planApply(set: WantedSet, tree: Tree, token: string): Promise<Plan> {
  const planner = new Planner(set, tree, token)
  await forEachInTurn(set.files.entries(), ([index, wanted]) => {
    const { path, base } = wanted
    return about(
      path,
      base === null ? planner.planNew(index, wanted) : planner.planExisting(index, wanted),
    )
  })
  return planner.finish()
}

/** Compares by hash alone: nothing is staged before all bases are as expected. */
export async function compareBases(files: readonly PlannedFile[]): Promise<void> {
  const moved = await findMovedBases(files)
  if (moved.length > 0) throw stopAt(moved)
}

async function findMovedBases(files: readonly PlannedFile[]): Promise<Conflict[]> {
  const moved: Conflict[] = []
  await forEachInTurn(files, async ({ index, wanted, base }) => {
    const found = base && sha256Of(base)
    if (found && found !== wanted.base)
      moved.push(toConflict(index, wanted, found, 'changed since it was read'))
  })
  return moved
}

interface Conflict extends ConflictingFile {
  readonly index: number
  readonly why: string
}

function toConflict(
  index: number,
  { docPath, path, base }: WantedFile,
  found: Sha256 | null,
  why: string,
): Conflict {
  return { index, docPath, path, expected: base, found, why }
}

function stopAt(conflicts: readonly Conflict[]): ApplyStop {
  const inOrder = [...conflicts].sort((a, b) => a.index - b.index)
  return new ApplyStop(conflict(inOrder.map(({ index: _, ...told }) => told)))
}

class Planner {
  readonly #set: WantedSet
  readonly #tree: Tree
  readonly #token: string
  readonly #files: PlannedFile[] = []
  readonly #folders = new Map<string, RelativePath>()
  readonly #conflicts: Conflict[] = []
  readonly #warnings: string[] = []
  readonly #vacated: Set<string>
  readonly #allocate = createSlabs()
  #heldBytes = 0

  constructor(set: WantedSet, tree: Tree, token: string) {
    this.#set = set
    this.#tree = tree
    this.#token = token
    this.#vacated = new Set(
      set.files.filter(file => file.sha256 === null).map(file => file.docPath),
    )
  }

  async planExisting(index: number, wanted: WantedFile): Promise<void> {
    const located = await this.#tree.locate(wanted.path, { open: true })
    if (!located.ok) {
      if (located.failure.code !== 'NOT_FOUND') throw notPlaced(located.failure)
      return this.#conflict(index, wanted, null, 'no longer exists')
    }
    try {
      await this.#planLocated(index, wanted, located.value)
    } finally {
      located.value.file?.close()
    }
  }

  async #planLocated(index: number, wanted: WantedFile, place: Place): Promise<void> {
    const { path, realPath, folder, name, status } = place
    if (wanted.sha256 === null && path !== realPath)
      throw new ApplyStop(
        fail(
          'InvalidPath',
          `Nothing was written: "${path}" is a link to "${realPath}". Delete that file, or remove the link by hand.`,
        ),
      )
    if ((status.mode & 0o222) === 0 || !(await folder.isWritable(name, status)))
      throw new ApplyStop(
        fail(
          'WRITE_FAILED',
          `Nothing was written: "${path}" is read-only. A person must allow writing to it.`,
          { kind: 'denied', details: { path, errno: 'EACCES' } },
        ),
      )
    const bytes = this.#mayHold(status) ? await readBase(place, this.#allocate) : null
    this.#heldBytes += bytes?.length ?? 0
    if (status.links > 1)
      this.#warnings.push(
        `"${path}" has ${status.links} names (hard links); the other names keep the old bytes.`,
      )
    const tempIn = this.#stays(splitPath(realPath)[0], wanted)
    const attributes = await this.#attributesFor(wanted)
    const link = path === realPath ? {} : { link: path }
    this.#add(index, wanted, realPath, tempIn, { status, base: bytes, ...attributes, ...link })
  }

  async planNew(index: number, wanted: WantedFile): Promise<void> {
    const isRespelled = this.#vacated.has(wanted.docPath)
    const located = isRespelled ? null : await this.#tree.locate(wanted.path)
    if (located?.ok) {
      const { sha256 } = await located.value.folder.digest(located.value.name)
      return this.#conflict(index, wanted, sha256, 'already exists')
    }
    if (located && located.failure.code !== 'NOT_FOUND') throw notPlaced(located.failure)
    const folder = located?.failure.details?.folder as RelativePath | undefined
    if (folder !== undefined && !this.#set.emptied.includes(folder))
      return this.#conflict(index, wanted, null, 'is the name of a folder')
    const placed = await this.#tree.placeFor(wanted.path)
    if (!placed.ok) throw notPlaced(placed.failure)
    const { existing } = placed.value
    await this.#checkWay(placed.value.path, existing)
    const path = this.#withPlannedFolders(placed.value.path, existing)
    const attributes = await this.#attributesFor(wanted)
    this.#add(index, wanted, path, existing, { status: null, base: null, ...attributes })
  }

  /** A program that is moved or copied stays executable, and comes back so; a copy is writable. */
  async #attributesFor({ like, attributes }: WantedFile): Promise<{ attributes?: FileAttributes }> {
    if (attributes) return { attributes }
    const located = like === undefined ? undefined : await this.#tree.locate(like)
    if (!located?.ok) return {}
    const { mode, uid, gid } = located.value.status
    return { attributes: { mode: (mode & 0o777) | 0o200, uid, gid } }
  }

  async finish(): Promise<Plan> {
    if (this.#conflicts.length > 0)
      throw stopAt([...this.#conflicts, ...(await findMovedBases(this.#files))])
    const seen = new Set<string>()
    for (const { path, status } of this.#files) {
      if (status && seen.has(path))
        throw new ApplyStop(
          fail(
            'INVALID_ARGUMENT',
            `Nothing was written: two files of the change set are "${path}", one of them through a link. Name it once.`,
          ),
        )
      if (status) seen.add(path)
    }
    return { files: this.#files, folders: [...this.#folders.values()], warnings: this.#warnings }
  }

  #add(
    index: number,
    wanted: WantedFile,
    path: RelativePath,
    tempIn: string,
    base: Pick<PlannedFile, 'status' | 'base' | 'attributes' | 'link'>,
  ): void {
    const [folderPath, name] = splitPath(path)
    this.#files.push({
      index,
      wanted,
      path,
      folderPath: folderPath as RelativePath | '',
      name,
      temp: tempNames(this.#token, index),
      tempIn: tempIn as RelativePath | '',
      ...base,
    })
  }

  /** A deletion's temporary name must not keep its folder from being emptied. */
  #stays(folder: string, { sha256 }: WantedFile): string {
    if (sha256 !== null) return folder
    while (this.#set.emptied.includes(folder as RelativePath)) folder = splitPath(folder)[0]
    return folder
  }

  /** Whether the first name below the nearest folder is free, for the file or for a folder on its way. */
  async #checkWay(path: RelativePath, existing: RelativePath | ''): Promise<void> {
    const end = path.indexOf('/', existing === '' ? 0 : existing.length + 1)
    const first = (end < 0 ? path : path.slice(0, end)) as RelativePath
    const there = await (await this.#tree.folder(existing)).statusOf(splitPath(first)[1])
    if (there === null || this.#vacated.has(toDocPath(first))) return
    if (there.kind === 'folder' && this.#set.emptied.includes(first)) return
    if (there.kind === 'link')
      throw new ApplyStop(
        fail('InvalidPath', `Nothing was written: "${first}" is a link that leads nowhere.`),
      )
    throw new ApplyStop(
      fail(
        'CONFLICT',
        end < 0 ? `Nothing was written: "${path}" exists and is not a file.` : folderIsFile(first),
        { details: { path, cause: end < 0 ? 'file' : 'folder', errno: 'ENOTDIR' } },
      ),
    )
  }

  /** Two new files in one new folder share its spelling, however each spells it. */
  #withPlannedFolders(path: RelativePath, existing: string): RelativePath {
    const segments = path.split('/')
    const known = existing === '' ? 0 : existing.split('/').length
    let folder = existing
    for (let depth = known; depth < segments.length - 1; depth++) {
      const spelled = folder === '' ? segments[depth]! : `${folder}/${segments[depth]}`
      const key = toDocPath(spelled as RelativePath)
      const planned = this.#folders.get(key) ?? (spelled as RelativePath)
      this.#folders.set(key, planned)
      segments[depth] = splitPath(planned)[1]
      folder = planned
    }
    return segments.join('/') as RelativePath
  }

  #conflict(index: number, wanted: WantedFile, found: Sha256 | null, why: string): void {
    this.#conflicts.push(toConflict(index, wanted, found, why))
  }

  #mayHold({ sizeBytes }: NodeStatus): boolean {
    return sizeBytes <= HELD_FILE_BYTES && this.#heldBytes + sizeBytes <= HELD_BYTES
  }
}

function notPlaced({ code, kind, message, details }: Failure<LocateCode>): ApplyStop {
  const said = `Nothing was written. ${message}`
  if (code === 'NOT_FOUND') return new ApplyStop(fail('CONFLICT', said, { details })) // its folder has since disappeared
  return new ApplyStop(fail(code, said, { kind, details }))
}

export function toIntent(
  set: WantedSet,
  plan: Plan,
  own: Pick<Intent, 'token' | 'time' | 'order'>,
): Intent {
  return {
    changeSetId: set.id,
    ...(set.label !== undefined && { label: set.label }),
    ...own,
    files: plan.files.map(({ wanted, path, tempIn }) => ({
      docPath: wanted.docPath,
      path,
      tempIn,
      base: wanted.base,
      sha256: wanted.sha256,
    })),
    folders: plan.folders,
    emptied: set.emptied,
    ...(set.undoes !== undefined && { undoes: set.undoes }),
  }
}

const SLAB_BYTES = 1024 * 1024

/** Small bases share memory: a hundred separate buffers cost the collector more than reading them. */
function createSlabs(): Allocate {
  let slab = Buffer.alloc(0)
  let used = 0
  return length => {
    if (length > SLAB_BYTES / 8) return Buffer.allocUnsafeSlow(length)
    if (used + length > slab.length) {
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      used = 0
    }
    used += length
    return slab.subarray(used - length, used)
  }
}

async function readBase(place: Place, allocate: Allocate): Promise<Uint8Array> {
  if (place.file) return readWhole(place.file, allocate)
  const file = await place.folder.openFile(place.name)
  try {
    return await readWhole(file, allocate)
  } finally {
    file.close()
  }
}
