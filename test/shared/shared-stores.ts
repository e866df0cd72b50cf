import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { runStores, type SharedStores } from './run-stores.ts'

export type { SharedStores }

/** What `scripts/ensure.mjs stores` found or fetched. */
interface Programs {
  readonly postgres?: string
  readonly s3rver?: string
  readonly missing?: string
}

const RECORD = fileURLToPath(new URL('../../.filewright-cache/shared-stores.json', import.meta.url))
const S3_SERVER = fileURLToPath(new URL('s3-server.mjs', import.meta.url))
const isFull = process.env.FILEWRIGHT_FULL === '1'

export const S3_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** The reason why there are none here, or undefined. In the full tests a reason is a failure. */
export const whyNoStores = reason()

function reason(): string | undefined {
  const { missing } = programs()
  if (missing && isFull) throw new Error(missing)
  if (missing) console.warn(`Skipped: ${missing}`)
  return missing
}

function programs(): Programs {
  try {
    return JSON.parse(readFileSync(RECORD, 'utf8')) as Programs
  } catch {
    return { missing: 'PostgreSQL and an S3 server: run "node scripts/ensure.mjs stores" first.' }
  }
}

/** A program of PostgreSQL, such as pg_dump; undefined where only the server is installed. */
export function postgresProgram(name: string): string | undefined {
  const path = join(programs().postgres ?? '', name)
  return existsSync(path) ? path : undefined
}

/** Both end with the tests of the file. */
export async function startSharedStores(): Promise<SharedStores> {
  const { postgres, s3rver } = programs()
  const stores = await runStores({ postgres: postgres!, s3rver: s3rver! }, S3_SERVER)
  afterAll(stores.end)
  return stores
}
