import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const record = fileURLToPath(new URL('../../.filewright-cache/browser.json', import.meta.url))

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser that `node scripts/ensure.mjs test` found. */
export function launchBrowser(): Promise<Browser> {
  const { path, env, missing } = existsSync(record)
    ? JSON.parse(readFileSync(record, 'utf8'))
    : { missing: 'No browser was looked for yet: run node scripts/ensure.mjs test.' }
  if (!path) throw new Error(missing)
  return chromium.launch({
    executablePath: path,
    args: flags,
    env: { ...process.env, ...env } as Record<string, string>,
    headless: true,
    timeout: 120_000,
  })
}
