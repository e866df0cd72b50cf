import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Sandbox, sandbox } from '../cli.ts'

/** A state folder as one build left it, with the workspaces it is about: `<build>/state` and `<build>/work/<name>`. */
const KEPT = join(import.meta.dirname, 'builds')

/** Stands for the folder of the workspaces in a kept state: no path of a machine is in the repository. */
const NOWHERE = '/made'

export function keptBuilds(): string[] {
  return existsSync(KEPT) ? readdirSync(KEPT).sort() : []
}

/** The kept folder in a sandbox of its own. */
export function openKept(build: string): Sandbox {
  const box = sandbox()
  cpSync(join(KEPT, build, 'work'), box.dir, { recursive: true })
  cpSync(join(KEPT, build, 'state'), box.state, { recursive: true })
  chmodSync(box.state, 0o700)
  relocate(box.state, NOWHERE, realpathSync(box.dir))
  const time = Date.now() // nothing in it is too old to keep, however long ago it was made
  for (const key of readdirSync(join(box.state, 'workspaces')))
    writeFileSync(
      join(box.state, 'workspaces', key, 'retention.jsonl'),
      `${JSON.stringify({ time })}\n`,
    )
  return box
}

/** Keeps what is in the sandbox for later versions; no process may be at work in it. */
export function keep(box: Sandbox, build: string): void {
  const folder = join(KEPT, build)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(box.dir, join(folder, 'work'), { recursive: true })
  const state = join(folder, 'state')
  cpSync(box.state, state, {
    recursive: true,
    filter: path => statSync(path).isDirectory() || statSync(path).isFile(), // no socket
  })
  for (const name of ['token', 'owner.lock', 'logs'])
    rmSync(join(state, name), { recursive: true, force: true })
  relocate(state, realpathSync(box.dir), NOWHERE)
  for (const path of filesIn(state))
    if (readFileSync(path).includes(box.dir)) throw new Error(`${path} names ${box.dir}`)
}

/**
 * A workspace is known by the hash of its folder's path: in the name of its folder in the state, and in a row of the
 * database that names the path too. Moves each from one folder of workspaces to another.
 */
function relocate(state: string, from: string, to: string): void {
  const db = new DatabaseSync(join(state, 'filewright.db'))
  const rows = db.prepare("SELECT * FROM settings WHERE key LIKE 'workspace/%'").all()
  for (const { key, value } of rows as { key: string; value: string }[]) {
    const found = JSON.parse(value)
    const place = found.place.replace(from, to)
    const [old, now] = [keyOf(found.place), keyOf(place)]
    db.prepare('UPDATE settings SET key = ?, value = ? WHERE key = ?').run(
      `workspace/${now}`,
      JSON.stringify({ ...found, place }),
      key,
    )
    renameSync(join(state, 'workspaces', old), join(state, 'workspaces', now))
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM')
  db.close()
}

function keyOf(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}
