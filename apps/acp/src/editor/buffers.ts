import { signalWithin } from '@filewright/protocol'
import { type BufferState, carryInto, stateOf, withLineEndsOf } from './buffer-text.ts'
import { type AttachedEditor, sendNotice } from './editor.ts'
import { readBytes, readText, readVersion } from './file-text.ts'
import { toAbsolute } from './folder.ts'
import type { FollowedFile } from './followed-file.ts'
import type { OpenSession } from './open-session.ts'

const KNOWN_VERSIONS = 20

/** Text that the editor sent along, by path; without it the editor is asked. */
export type GivenTexts = ReadonlyMap<string, string | undefined>

/**
 * Looks at the editor's text of these files, and of those it had before. The agent reads unsaved text where there is any;
 * a file named by the person is active in any case.
 */
export async function lookAtBuffers(
  editor: AttachedEditor,
  session: OpenSession,
  named: GivenTexts,
  others: Iterable<string> = [],
): Promise<void> {
  const paths = new Set([...named.keys(), ...session.followed.keys(), ...others])
  for (const path of paths)
    await lookAt(editor, session, { path, isNamed: named.has(path), given: named.get(path) })
}

interface Looked {
  readonly path: string
  readonly isNamed: boolean
  readonly given?: string
}

async function lookAt(editor: AttachedEditor, session: OpenSession, looked: Looked): Promise<void> {
  const { path, given } = looked
  const { folder, followed, sessionId } = session
  const text = given ?? (await askEditor(editor, session, path))
  const disk = text === undefined ? undefined : await readText(folder, path)
  if (text === undefined || disk === undefined) {
    if (looked.isNamed) await activate(editor, session, path)
    return
  }
  const file = followed.get(path) ?? { seen: new Set<string>(), isNamed: false }
  const before = file.unsaved
  file.isNamed ||= looked.isNamed
  const state = await judge(session, { path, text, disk, file })
  if (disk !== null) file.seen.add(disk)
  if (state === 'saved') file.base = disk!
  file.unsaved = state === 'unsaved' ? withLineEndsOf(disk, text) : undefined
  followed.set(path, file)
  if (state === 'stale')
    await sendNotice(editor, sessionId, {
      severity: 'warning',
      title: `The editor gave an older text of ${path}. The file on disk is used.`,
    })
  if (file.unsaved !== undefined) await activate(editor, session, path, file.unsaved)
  else if (file.isNamed) await activate(editor, session, path)
  else if (before !== undefined) await deactivate(session, path)
}

async function judge(
  session: OpenSession,
  given: {
    readonly path: string
    readonly text: string
    readonly disk: string | null
    readonly file: FollowedFile
  },
): Promise<BufferState> {
  const { path, text, disk, file } = given
  const state = stateOf(text, disk, file.seen)
  if (state !== 'unsaved') return state
  return stateOf(text, disk, await storedVersions(session, path))
}

/** What the file was before, as far as anybody of ours has read it; never what an editor gave. */
async function storedVersions({ folder }: OpenSession, path: string): Promise<readonly string[]> {
  const { connection, params } = folder
  const listed = await connection.call('history', { params, query: { path } })
  if (!listed.ok) return []
  const hashes = listed.value.items
    .filter(({ sha256, origin }) => sha256 !== null && origin.kind !== 'buffer')
    .map(({ sha256 }) => sha256!)
    .slice(0, KNOWN_VERSIONS)
  const texts = await Promise.all(hashes.map(sha256 => readVersion(folder, sha256)))
  return texts.filter(text => typeof text === 'string')
}

/** Undefined where the editor gives no text, does not know the file, or does not answer. */
async function askEditor(
  { client, capabilities }: AttachedEditor,
  { sessionId, folder, turn }: OpenSession,
  path: string,
): Promise<string | undefined> {
  if (!capabilities.fs?.readTextFile) return undefined
  const asked = client.request('fs/read_text_file', { sessionId, path: toAbsolute(folder, path) })
  const content = asked.then(
    answer => Object(answer).content as unknown,
    () => undefined, // it has no such file, or it is no text
  )
  const text = await Promise.race([content, patience(turn?.signal)])
  return typeof text === 'string' ? text : undefined
}

const ANSWERS_MS = 5_000 // an open file is in the editor's memory

/** Ends when an editor has had its time, or the person cancels. */
function patience(signal: AbortSignal | undefined): Promise<undefined> {
  const over = signalWithin(ANSWERS_MS, signal)
  return new Promise(resolve => {
    if (over.aborted) resolve(undefined)
    over.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

async function activate(
  editor: AttachedEditor,
  { folder, sessionId }: OpenSession,
  path: string,
  buffer?: string,
): Promise<void> {
  const added = await folder.connection.call('addActiveFile', {
    params: { ...folder.params, sessionId },
    body: { path, ...(buffer !== undefined && { buffer }) },
  })
  if (!added.ok)
    await sendNotice(editor, sessionId, { severity: 'warning', title: added.failure.message })
}

async function deactivate({ folder, sessionId }: OpenSession, path: string): Promise<void> {
  const params = { ...folder.params, sessionId }
  await folder.connection.call('removeActiveFile', { params, query: { path } })
}

/**
 * Writes these files by `write`, and gives the editor what changed where it has unsaved text of them: it writes the file
 * then, and we look at what it wrote. Text whose origin is not known is left alone.
 */
export async function writeWithBuffers(
  editor: AttachedEditor,
  session: OpenSession,
  paths: Iterable<string>,
  write: () => Promise<boolean>,
): Promise<readonly string[]> {
  await lookAtBuffers(editor, session, new Map(), paths)
  const held = await heldTexts(editor, session, new Set(paths))
  if (!(await write())) return []
  const said = await Promise.all(held.map(each => giveToEditor(editor, session, each)))
  return said.filter(text => text !== undefined)
}

interface HeldText {
  readonly path: string
  readonly unsaved: string
  readonly before: Uint8Array
}

/** Unsaved texts that began as what is on disk now: the others may be older than it. */
async function heldTexts(
  { capabilities }: AttachedEditor,
  { folder, followed }: OpenSession,
  paths: ReadonlySet<string>,
): Promise<HeldText[]> {
  if (!capabilities.fs?.writeTextFile) return []
  const held: HeldText[] = []
  for (const path of paths) {
    const { unsaved, base } = followed.get(path) ?? {}
    if (unsaved === undefined || base === undefined) continue
    const before = await readBytes(folder, path)
    if (before && (await readText(folder, path)) === base) held.push({ path, unsaved, before })
  }
  return held
}

async function giveToEditor(
  { client }: AttachedEditor,
  session: OpenSession,
  { path, unsaved, before }: HeldText,
): Promise<string | undefined> {
  const { folder, sessionId, followed } = session
  const after = await readBytes(folder, path)
  if (!after) return undefined
  const merged = carryInto(unsaved, { before, after })
  if (merged === undefined)
    return `${path} has unsaved text in the editor, and the changes could not be put into it.`
  const content = withLineEndsOf(await readText(folder, path).then(text => text ?? null), merged)
  const asked = client.request('fs/write_text_file', {
    sessionId,
    path: toAbsolute(folder, path),
    content,
  })
  const taken = asked.then(
    () => true,
    () => false,
  )
  const isTaken = await Promise.race([taken, patience(undefined)])
  if (!isTaken)
    return `The editor did not take the changes of ${path}. They are in the file on disk.`
  const written = await readText(folder, path)
  const isWritten = typeof written === 'string' && stateOf(content, written, []) === 'saved'
  if (!isWritten) return `The editor wrote something else to ${path} than it was given.`
  followed.set(path, { ...followed.get(path)!, base: written, unsaved: undefined })
  return `${path} was written by the editor, with the unsaved text that it had.`
}
