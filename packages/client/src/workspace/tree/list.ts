import { setImmediate as nextTick } from 'node:timers/promises'
import {
  type DocPath,
  isPrivateFile,
  LIMITS,
  parseRelativePath,
  type RelativePath,
  toDocPath,
} from '@filewright/protocol'
import { type Folder, type FolderEntry, isErrno, type NodeFacts } from '../paths/folder.ts'
import type { Tree } from '../paths/local-path.ts'
import { type FolderNames, foldNames } from '../paths/name-cache.ts'
import { isReservedName } from '../paths/temp-names.ts'
import type { HashCache } from './hash-cache.ts'
import type { FolderRules, IgnoreRules } from './ignore-rules.ts'
import type { KeyLinks } from './key-links.ts'
import { isKeyLink } from './look-at.ts'
import { type Entry, type ListOptions, SAY_YES, type TreeFileEntry } from './workspace.ts'

export interface ListPorts {
  /** Called once, for the first entry: the tree to list, closed with the list; or the one entry that says why not. */
  begin(): Promise<Tree | Entry>
  readonly rules: IgnoreRules
  readonly hashes: HashCache
  readonly keyLinks: KeyLinks
}

/** A folder being listed, and the position in it. */
interface Frame {
  readonly folder: Folder
  readonly path: string
  readonly docPath: string
  readonly rules: FolderRules
  readonly entries: readonly FolderEntry[]
  /** Parallel to `entries`. */
  readonly keys: readonly string[]
  /** Null when no two names fold to one. */
  readonly names: FolderNames | null
  readonly twins: Twins | null
  /** Parallel to `entries`, as far as read. */
  readonly facts: (NodeFacts | null | undefined)[]
  next: number
}

/** Files under folders that differ only in capitals or accents, by docPath. */
type Twins = ReadonlyMap<DocPath, readonly RelativePath[]>

export const ENTRIES_BETWEEN_PAUSES = 2000 // about 10 ms: lets other work run while a large tree is listed

export const PATTERNS_PER_ENTRY = 20 // matching this many takes about as long as the rest of an entry

export async function* listTree(ports: ListPorts, options: ListOptions): AsyncGenerator<Entry> {
  const tree = await ports.begin()
  if ('kind' in tree) return yield tree
  const { ignored = 'omit', allowLarge = false } = options
  const stack: Frame[] = []
  let [files, looked] = [0, 0]
  try {
    stack.push(await openFrame(ports, await tree.folder(''), '', null, null))
    if (stack[0]!.rules.isWithheld && !allowLarge) yield withheld('.')
    while (stack.length > 0) {
      const frame = stack.at(-1)!
      const index = frame.next++
      const entry = frame.entries[index]
      if (entry === undefined) leave(stack.pop()!)
      if (entry === undefined) continue
      looked += 1 + frame.rules.weight / PATTERNS_PER_ENTRY
      if (looked >= ENTRIES_BETWEEN_PAUSES) looked = await pause()
      if (isReservedName(entry.name)) continue
      const path = join(frame.path, entry.name)
      const isIgnored = ports.rules.isIgnored(path, entry.kind === 'folder', frame.rules)
      if (isIgnored && ignored === 'omit') continue
      const problem = findNameProblem(entry)
      if (problem) yield { kind: 'unusable', path, reason: problem }
      else if (entry.kind === 'folder' && isIgnored)
        yield* await foldFolder(frame.folder, entry.name, path)
      else if (entry.kind === 'folder') {
        const folder = await open(frame.folder, entry.name)
        if (folder === 'refused') yield { kind: 'unusable', path, reason: NOT_ALLOWED }
        if (!folder || folder === 'refused') continue
        const twins = frame.twins ?? (await findTwins(frame, entry))
        const inner = await openFrame(ports, folder, path, frame.rules, twins)
        stack.push(inner)
        if (isNewlyWithheld(inner, frame) && !allowLarge) yield withheld(path)
      } else {
        const docPath = join(frame.docPath, frame.keys[index]!) as DocPath
        let listed: Entry
        if (entry.kind === 'link')
          listed = await toLinkEntry(ports, tree, { path, docPath, isIgnored })
        else {
          // an await costs time even when the value is there: only wait when something is left to read
          const facts =
            frame.facts[index] === undefined ? await readFacts(frame, index) : frame.facts[index]
          if (facts?.kind !== 'file') continue // gone or replaced since the folder was read
          const sha256 = ports.hashes.get(facts) ?? null
          const isPrivate =
            isPrivateFile(docPath) ||
            (facts.links > 1 && (await isKeyLink(ports, frame.folder, entry.name)))
          const file = toFileEntry({ path, docPath, isPrivate, isIgnored, sha256 }, facts)
          listed = withCollisions(frame, entry, file)
        }
        if (listed.kind === 'file' && ++files > LIMITS.treeFilesBeforeAsking && !allowLarge)
          return yield tooMany()
        yield frame.rules.isWithheld && !allowLarge ? asWithheld(listed) : listed
      }
    }
  } finally {
    for (const frame of stack) leave(frame)
    tree.close()
  }
}

function leave({ path, folder }: Frame): void {
  if (path !== '') folder.close() // the first belongs to the tree
}

/** An ignored folder as one entry; none where it is gone or closed to us. */
export async function foldFolder(above: Folder, name: string, path: string): Promise<Entry[]> {
  const folder = await openIfAllowed(above, name)
  if (!folder) return []
  const counted = await countFiles(folder, LIMITS.treeFilesBeforeAsking)
  return [{ kind: 'ignored-folder', docPath: keyOf(path), path: path as RelativePath, ...counted }]
}

function isNewlyWithheld({ rules }: Frame, above: Frame): boolean {
  return rules.isWithheld && !above.rules.isWithheld
}

/** Other work runs now; the count begins again. */
export async function pause(): Promise<0> {
  await nextTick()
  return 0
}

export function asWithheld(entry: Entry): Entry {
  return entry.kind === 'file' ? { ...entry, isWithheld: true } : entry
}

function withCollisions(frame: Frame, entry: FolderEntry, file: TreeFileEntry): TreeFileEntry {
  const collidesWith = collisionsOf(frame, entry, file.path, file.docPath)
  return collidesWith.length > 0 ? { ...file, collidesWith } : file
}

export function withheld(path: string): Entry {
  return {
    kind: 'unusable',
    path,
    reason: `it has more ignore rules than can be matched, so its files are listed but not searched or indexed; a person allows it with "filewright rules add --effect scan"`,
  }
}

export function tooMany(): Entry {
  const limit = LIMITS.treeFilesBeforeAsking.toLocaleString('en')
  return {
    kind: 'question',
    reason: 'many-files',
    message: `The workspace holds more than ${limit} files, and the scan stopped there: ${SAY_YES}, or open a smaller folder.`,
  }
}

async function openFrame(
  ports: ListPorts,
  folder: Folder,
  path: string,
  above: FolderRules | null,
  twins: Twins | null,
): Promise<Frame> {
  const entries = await folder.entries().catch(noneIfErrno)
  entries.sort((a, b) => (a.name < b.name ? -1 : 1)) // the same list on every machine
  const rules = await ports.rules.enter(folder, path, above, entries)
  const keys = entries.map(entry => keyOf(entry.name))
  const names = new Set(keys).size < keys.length ? foldNames(entries) : null
  const docPath = keyOf(path)
  return { folder, path, docPath, rules, entries, keys, names, twins, facts: [], next: 0 }
}

/** A folder that is gone or unreadable has no entries for us. */
export function noneIfErrno(error: unknown): never[] {
  if (isErrno(error)) return []
  throw error
}

function toFileEntry(
  {
    path,
    ...known
  }: Pick<TreeFileEntry, 'docPath' | 'sha256' | 'isPrivate' | 'isIgnored'> & {
    readonly path: string
  },
  { sizeBytes, mtimeMs }: NodeFacts,
): TreeFileEntry {
  return {
    kind: 'file',
    path: path as RelativePath,
    sizeBytes,
    mtimeMs: Math.floor(mtimeMs),
    ...known,
  }
}

export async function toLinkEntry(
  { keyLinks }: Pick<ListPorts, 'keyLinks'>,
  tree: Tree,
  { path, docPath, isIgnored }: Pick<TreeFileEntry, 'docPath' | 'isIgnored'> & { path: string },
): Promise<Entry> {
  const place = await tree.locate(path)
  if (!place.ok)
    return { kind: 'unusable', path, reason: 'it is a link that leads to no file in the workspace' }
  const { status, realPath } = place.value
  const isNamed = isPrivateFile(docPath) || isPrivateFile(toDocPath(realPath))
  return {
    kind: 'file',
    docPath,
    path: path as RelativePath,
    sizeBytes: status.sizeBytes,
    mtimeMs: Math.floor(status.mtimeMs),
    sha256: null,
    isPrivate: isNamed || (await keyLinks.isKeyFile(status)),
    isIgnored,
    linkTo: realPath,
  }
}

const FACTS_AT_ONCE = 500 // about 2 ms of the disk

/** Read together with the entries that follow. */
async function readFacts(frame: Frame, index: number): Promise<NodeFacts | null> {
  const { entries, facts } = frame
  const following: number[] = []
  for (let i = index; i < entries.length && following.length < FACTS_AT_ONCE; i++)
    if (entries[i]!.kind === 'file') following.push(i)
  const names = following.map(i => entries[i]!.name)
  const read = await frame.folder.factsOf(names).catch(noneIfErrno)
  for (const [n, i] of following.entries()) facts[i] = read[n] ?? null
  return facts[index] ?? null
}

const NONE: readonly RelativePath[] = []

function collisionsOf(frame: Frame, entry: FolderEntry, path: string, docPath: DocPath) {
  const others = frame.twins?.get(docPath)?.filter(other => other !== path)
  if (others) return others
  if (!frame.names) return NONE
  const same = frame.names.get(keyOf(entry.name)) ?? []
  return same
    .filter(other => other !== entry && other.kind !== 'folder')
    .map(other => join(frame.path, other.name) as RelativePath)
}

/** Null unless another folder next to it folds to the same name. */
async function findTwins(frame: Frame, entry: FolderEntry): Promise<Twins | null> {
  const found = frame.names?.get(keyOf(entry.name)) ?? []
  const same = found.filter(other => other.kind === 'folder')
  if (same.length < 2) return null
  const twins = new Map<DocPath, RelativePath[]>()
  for (const { name } of same) {
    const folder = await openIfAllowed(frame.folder, name)
    if (!folder) continue
    for await (const path of filesIn(folder, join(frame.path, name))) {
      const paths = twins.get(keyOf(path))
      if (paths) paths.push(path)
      else twins.set(keyOf(path), [path])
    }
  }
  return twins
}

/** Closes the folder, even when the reader stops early. */
async function* filesIn(folder: Folder, path: string): AsyncGenerator<RelativePath> {
  try {
    for (const entry of await folder.entries().catch(noneIfErrno)) {
      if (entry.kind !== 'folder') yield join(path, entry.name) as RelativePath
      const inner = entry.kind === 'folder' ? await openIfAllowed(folder, entry.name) : undefined
      if (inner) yield* filesIn(inner, join(path, entry.name))
    }
  } finally {
    folder.close()
  }
}

async function countFiles(folder: Folder, limit: number) {
  let fileCount = 0
  for await (const _ of filesIn(folder, '')) {
    if (fileCount >= limit) return { fileCount, isMore: true }
    if (++fileCount % ENTRIES_BETWEEN_PAUSES === 0) await nextTick()
  }
  return { fileCount, isMore: false }
}

/** Undefined: it is gone. */
export async function open(folder: Folder, name: string): Promise<Folder | 'refused' | undefined> {
  try {
    return await folder.openFolder(name)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    if (isErrno(error, 'EACCES', 'EPERM')) return 'refused'
    throw error
  }
}

async function openIfAllowed(folder: Folder, name: string): Promise<Folder | undefined> {
  const opened = await open(folder, name)
  return opened === 'refused' ? undefined : opened
}

export const NOT_ALLOWED = 'its permissions do not allow reading it'

/**
 * Matches nearly every name: nothing in it needs a second look. Each character fits only one place, which avoids
 * backtracking.
 */
const PLAIN_NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d|clock)(?:\.|$))[\w-]+(?:[. ][\w-]+)*$/i

export function findNameProblem(entry: FolderEntry): string | undefined {
  if (entry.kind !== 'other' && entry.name.length < 200 && PLAIN_NAME.test(entry.name))
    return undefined
  if (entry.kind === 'other') return 'it is a device, a pipe or a socket'
  if (entry.name.includes('\uFFFD')) return 'its name is not valid UTF-8'
  if (/[\u0000-\u001f\u007f]/.test(entry.name)) return 'its name holds a control character'
  const parsed = parseRelativePath(entry.name)
  if (!parsed.ok)
    return 'its name is not portable: a device or drive name, a dot or space at the end, or too long'
  if (parsed.value !== entry.name.normalize('NFC')) return 'its name holds a backslash'
  return undefined
}

export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

export function keyOf(path: string): DocPath {
  return toDocPath(path as RelativePath)
}
