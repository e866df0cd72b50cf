import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findOffice, readConfig } from '@filewright/host'
import { unwrap } from '@filewright/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type HostileFile, hostileFiles, macroSheet } from './hostile-files.ts'
import { NO_DRAWING, startOffice } from './own-office.ts'

const IS_FULL = process.env.FILEWRIGHT_FULL === '1'
const TIMEOUT = 300_000
const SECRET = 'the secret of another file'
const NO_JUDGE =
  NO_DRAWING ?? (spawnSync('pdftotext', ['-v']).error && 'skipped: poppler is not installed')
const why = NO_JUDGE ? ` (${NO_JUDGE})` : ''

/** A server that a document may ask, and a file that it may show. */
async function bait() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('x')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'filewright-bait-'))
  const secret = join(folder, 'secret.svg')
  writeFileSync(
    secret,
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="50"><text x="5" y="30" font-family="sans-serif">${SECRET}</text></svg>`,
  )
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })
  const web = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, folder, files: hostileFiles(web, secret) }
}

/** Of "plain words": in a wide font a narrow cell cuts the second. */
const PLAIN = 'plain'

describe.skipIf(NO_JUDGE !== undefined)(`LibreOffice in its box${why}`, () => {
  test('no request leaves and no other file is shown', { timeout: TIMEOUT }, async () => {
    const { asked, folder, files } = await bait()
    const office = startOffice()
    for (const file of IS_FULL ? files : files.slice(0, 1)) {
      const text = await boxedText(office, file, folder)
      expect(text, file.name).toContain(PLAIN)
      expect(text, file.name).not.toContain(SECRET)
    }
    expect(asked).toEqual([])
  })

  test('no macro runs', { timeout: TIMEOUT }, async () => {
    const { folder } = await bait()
    const text = await boxedText(startOffice(), macroSheet(join(folder, 'ran')), folder)
    expect(text).toContain(PLAIN)
    expect(text).not.toContain('MACRO RAN')
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })
})

describe.skipIf(NO_DRAWING !== undefined || !IS_FULL)(
  `the same files in LibreOffice as it is${NO_DRAWING ? why : IS_FULL ? '' : ' (of the full tier)'}`,
  () => {
    test('do ask the server and show the file', { timeout: TIMEOUT }, async () => {
      const { asked, folder, files } = await bait()
      const texts: [string, string][] = []
      for (const file of files) texts.push([file.name, await plainText(file, folder)])
      const reaching = new Set(asked.map(url => url.slice(1)))
      expect([...reaching].sort()).toEqual(
        expect.arrayContaining([
          ...['linked.png', 'sheet-picture.png', 'slide-picture.png', 'text-picture.png'],
        ]),
      )
      expect(texts.filter(([, text]) => text.includes(SECRET)).map(([name]) => name)).not.toEqual(
        [],
      )
    })

    test('do run the macro', { timeout: TIMEOUT }, async context => {
      const { folder } = await bait()
      const { own, run } = careless(folder)
      const { name, bytes } = macroSheet(join(folder, 'ran'))
      writeFileSync(join(own, name), bytes)
      await run(join(own, name)).catch(() => {}) // ended from within, it may crash
      if (!existsSync(join(folder, 'ran')) && (await diesOnPlainText(folder)))
        context.skip('this LibreOffice is a build without windows, which dies on opening any file')
      expect(readFileSync(join(folder, 'ran'), 'utf8')).toContain('MACRO RAN')
    })
  },
)

async function boxedText(
  office: ReturnType<typeof startOffice>,
  { name, bytes }: HostileFile,
  folder: string,
): Promise<string> {
  const ending = name.slice(name.lastIndexOf('.'))
  return textOf(unwrap(await office.toPdf({ path: name, ending, bytes })), folder)
}

async function plainText({ name, bytes }: HostileFile, folder: string): Promise<string> {
  const { own, run } = careless(folder)
  writeFileSync(join(own, name), bytes)
  await run('--convert-to', 'pdf', '--outdir', join(own, 'out'), join(own, name))
  return textOf(readFileSync(join(own, 'out', name.replace(/\.\w+$/, '.pdf'))), folder)
}

/** As a careless program would call it: every link is followed, and every macro runs. */
function careless(folder: string) {
  const own = mkdtempSync(join(folder, 'plain-'))
  const profile = join(own, 'profile')
  mkdirSync(join(profile, 'user'), { recursive: true })
  writeFileSync(join(profile, 'user/registrymodifications.xcu'), CARELESS)
  const { program } = findOffice(readConfig())!
  const first = [`-env:UserInstallation=file://${profile}`, '--headless', '--norestore']
  const run = (...args: string[]) =>
    promisify(execFile)(program, [...first, ...args], { timeout: 60_000 })
  return { own, run }
}

async function diesOnPlainText(folder: string): Promise<boolean> {
  const { own, run } = careless(folder)
  writeFileSync(join(own, 'plain.csv'), 'plain,words\n')
  return run(join(own, 'plain.csv')).then(
    () => false,
    ({ killed }) => !killed,
  )
}

const item = (path: string, name: string, value: number | boolean) =>
  `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`
const CARELESS = `<?xml version="1.0"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">${[
  item('Common/Security/Scripting', 'MacroSecurityLevel', 0),
  item('Writer/Content/Update', 'Link', 2),
  item('Calc/Content/Update', 'Link', 0),
].join('')}</oor:items>`

function textOf(pdf: Uint8Array, folder: string): string {
  const path = join(folder, 'pages.pdf')
  writeFileSync(path, pdf)
  return spawnSync('pdftotext', [path, '-']).stdout.toString('utf8')
}
