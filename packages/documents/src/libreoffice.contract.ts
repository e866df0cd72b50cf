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

/**
 * What LibreOffice makes of files, in one start; undefined for a file that it does not open. The ending may name the filter
 * too: `txt:Text (encoded):UTF8`.
 */
export function convert(
  files: readonly NamedFile[],
  ending: string,
  folder: string,
): (string | undefined)[] {
  mkdirSync(folder, { recursive: true })
  const out = join(folder, 'out')
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes)
  const target = ({ name }: NamedFile) =>
    join(out, name.replace(/\.\w+$/, `.${ending.split(':')[0]}`))
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

/** One drawing of a file: its pdf, and the folder that `pagesOf` filled from it. */
export interface Drawn {
  readonly pdf: string
  readonly folder: string
}

const MOST_OF_A_PAGE = 0.01
const NEAR_POINTS = 1.6 // a pixel at 48 dpi is 1.5
const NEAR_GREY = 24 // of 255

/**
 * What differs on a page that was drawn twice; undefined where parts of it stand a pixel higher or lower at most, with the
 * same words.
 */
export function differenceOf(page: number, before: Drawn, after: Drawn): string | undefined {
  const [old, now] = [wordsOf(before.pdf, page), wordsOf(after.pdf, page)]
  const far = now.find(({ text, box }, at) => {
    const was = old[at]
    return (
      was?.text !== text || box.some((side, each) => Math.abs(side - was.box[each]!) > NEAR_POINTS)
    )
  })
  if (far) return `the word ${JSON.stringify(far.text)} is new or stands elsewhere`
  if (old.length !== now.length) return `of ${old.length} words ${now.length} are left`
  return pictureDifference(
    greysOf(pictures(before.folder)[page]!),
    greysOf(pictures(after.folder)[page]!),
  )
}

export interface Greys {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** What differs in two pictures beyond parts that stand a pixel beside where they stood. */
export function pictureDifference(old: Greys, now: Greys): string | undefined {
  if (old.width !== now.width || old.height !== now.height) return 'the page has another size'
  const changed = old.pixels.reduce((sum, grey, at) => sum + (grey === now.pixels[at] ? 0 : 1), 0)
  const share = changed / old.pixels.length
  if (share > MOST_OF_A_PAGE) return `${(100 * share).toFixed(1)} % of the pixels differ`
  const strange = Math.max(strangePixels(old, now), strangePixels(now, old))
  return strange === 0 ? undefined : `${strange} pixels have a grey that none beside them had`
}

/** Pixels of the one picture that are lighter or darker than all around their place in the other. */
function strangePixels(one: Greys, other: Greys): number {
  let strange = 0
  for (const [at, grey] of one.pixels.entries()) {
    if (grey === other.pixels[at]) continue
    const near = around(other, at)
    const isBetween = grey >= Math.min(...near) - NEAR_GREY && grey <= Math.max(...near) + NEAR_GREY
    if (!isBetween) strange++
  }
  return strange
}

function around({ width, height, pixels }: Greys, at: number): readonly number[] {
  const [column, row] = [at % width, Math.floor(at / width)]
  const found: number[] = []
  for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y++)
    for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++)
      found.push(pixels[y * width + x]!)
  return found
}

function greysOf(picture: Buffer): Greys {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(picture.toString('latin1', 0, 64))
  if (!head) throw new Error('pdftoppm made no picture of greys')
  return {
    width: Number(head[1]),
    height: Number(head[2]),
    pixels: picture.subarray(head[0].length),
  }
}

function wordsOf(pdf: string, page: number) {
  const number = String(page + 1)
  const { stdout } = spawnSync('pdftotext', ['-bbox', '-f', number, '-l', number, pdf, '-'])
  const words = stdout
    .toString('utf8')
    .matchAll(/<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<\/word>/g)
  return [...words].map(([, left, top, right, bottom, text]) => ({
    text: text!,
    box: [left, top, right, bottom].map(Number),
  }))
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
