import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const START_MS = 120_000
const FILE_MS = 60_000

/** A file under a name that no other file of the batch has, apart from its ending. */
export interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What LibreOffice makes of files, in one start; undefined for a file that it does not open. */
export function convert(
  files: readonly NamedFile[],
  ending: string,
  folder: string,
): (string | undefined)[] {
  mkdirSync(folder, { recursive: true })
  const out = join(folder, 'out')
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes)
  const target = ({ name }: NamedFile) => join(out, name.replace(/\.\w+$/, `.${ending}`))
  const run = (some: readonly NamedFile[]) =>
    spawnSync(
      'soffice',
      [
        `-env:UserInstallation=file://${join(folder, 'home')}`,
        '--headless',
        '--convert-to',
        ending,
        '--outdir',
        out,
        ...some.map(({ name }) => join(folder, name)),
      ],
      { timeout: START_MS + FILE_MS * some.length },
    )
  run(files)
  // A file that ends the program takes the ones behind it along: each gets a start of its own.
  for (const file of files) if (!existsSync(target(file))) run([file])
  return files.map(file => (existsSync(target(file)) ? target(file) : undefined))
}

/** A fingerprint of the picture of each page, at a low resolution. */
export function pagesOf(pdf: string, folder: string, dpi = 24): string[] {
  mkdirSync(folder, { recursive: true })
  const { status, stderr } = spawnSync('pdftoppm', [
    '-r',
    String(dpi),
    '-gray',
    pdf,
    join(folder, 'page'),
  ])
  if (status !== 0) throw new Error(`pdftoppm: ${stderr}`)
  return pictures(folder).map(picture => createHash('sha256').update(picture).digest('hex'))
}

/** How much of a page differs, from 0 to 1, in two folders that `pagesOf` filled. */
export function differenceOf(page: number, before: string, after: string): number {
  const [old, now] = [pictures(before)[page]!, pictures(after)[page]!]
  if (old.length !== now.length) return 1
  return old.reduce((sum, pixel, at) => sum + (pixel === now[at] ? 0 : 1), 0) / old.length
}

function pictures(folder: string): Buffer[] {
  return readdirSync(folder)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map(name => readFileSync(join(folder, name)))
}

/** The text of each page. */
export function pageTexts(pdf: string): string[] {
  const { stdout } = spawnSync('pdftotext', ['-layout', pdf, '-'], { maxBuffer: 1 << 28 })
  return stdout.toString('utf8').split('\f').slice(0, -1)
}
