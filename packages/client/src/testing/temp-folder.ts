import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for one test, gone afterwards. */
export function makeTempFolder(): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'filewright-test-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}
