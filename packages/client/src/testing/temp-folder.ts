import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

const REMOVE_MS = 120_000 // the full tier leaves tens of thousands of files, and a busy disk takes its time

/** A folder of its own for one test, gone afterwards. */
export function makeTempFolder(): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'filewright-test-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }), REMOVE_MS)
  return folder
}
