import type { Picture } from '@filewright/protocol'
import { type Crop, fitted, toPicture, WHOLE } from '../../../pictures/picture.ts'
import { takeTransformer } from '../../../pictures/transformer.ts'
import type { PageBox } from '../page/geometry.ts'
import { layOut } from '../page/laid-out.ts'
import type { PageView } from '../page/page-view.ts'
import { inReadingOrder } from '../page/reading-order.ts'
import { segmentsOf } from '../page/segments.ts'
import { type Word, wordsOf } from '../page/words.ts'
import type { PageTable } from '../tables/page-table.ts'
import { tablesOn } from '../tables/page-tables.ts'
import { rulesOf } from '../tables/rules.ts'

export interface PageContent {
  readonly lines: readonly ContentLine[]
  readonly tables: readonly PageTable[]
  readonly hasText: boolean
  readonly warnings: readonly string[]
}

export interface ContentLine {
  readonly text: string
  readonly box: PageBox
}

/** The text of a page as it is read, its tables row by row where they stand. */
export function contentOf(view: PageView, { layout = false } = {}): PageContent {
  const { words, isCut } = wordsOf(view)
  const warnings = isCut
    ? [`Page ${view.number} has more text than is read of one page; the rest is left out.`]
    : []
  const shown = { hasText: words.length > 0, warnings }
  const upright = words.filter(({ isTurned }) => !isTurned)
  if (layout) return { lines: layoutLines(upright), tables: [], ...shown }
  const tables = tablesOn(words, rulesOf(view))
  const inTables = new Set(tables.flatMap(table => [...table.words]))
  const around = upright.filter(word => !inTables.has(word))
  const read = inReadingOrder(segmentsOf(around))
  const text = read.flatMap(({ text, box, isFirst }) => [
    ...(isFirst ? [{ text: '', box }] : []),
    { text, box },
  ])
  const turned = words.filter(({ isTurned }) => isTurned)
  const lines = [...insertTables(text, tables), ...turnedLines(turned)]
  return { lines: lines[0]?.text === '' ? lines.slice(1) : lines, tables, ...shown }
}

function layoutLines(words: readonly Word[]): ContentLine[] {
  const segments = segmentsOf(words)
  const box = { left: 0, top: 0, right: 0, bottom: 0 }
  return layOut(segments).map(text => ({ text, box }))
}

/** A table stands before the first line below its top, in the column where it stands. */
function insertTables(lines: readonly ContentLine[], tables: readonly PageTable[]): ContentLine[] {
  const placed = [...lines]
  for (const table of tables) {
    const at = placed.findIndex(
      ({ box }) =>
        box.top >= table.box.top && box.left < table.box.right && box.right > table.box.left,
    )
    const rows = [
      { text: '', box: table.box },
      ...table.rows.map(row => ({ text: `| ${row.join(' | ')} |`, box: table.box })),
      { text: '', box: table.box },
    ]
    placed.splice(at < 0 ? placed.length : at, 0, ...rows)
  }
  return placed.filter(({ text }, index) => text !== '' || placed[index - 1]?.text !== '')
}

/** Text along a margin, in the order of the file. */
function turnedLines(words: readonly Word[]): ContentLine[] {
  if (words.length === 0) return []
  const box = words[0]!.box
  return [
    { text: '', box },
    { text: words.map(({ text }) => text).join(' '), box },
  ]
}

const POINTS_PER_INCH = 72
const DOTS_PER_INCH = 150 // enough to read small print; a part is drawn larger
const REVERSE_BYTES = 0x10
const ANNOTATIONS = 0x01
const RGBA = 4
const WHITE = 0xffffffff

/** A part of the page as a picture; undefined where no picture can be made. */
export function drawPage(view: PageView, crop: Crop = WHOLE): Picture | undefined {
  const Transformer = takeTransformer()
  if (!Transformer) return undefined
  const { pdfium, page, width, height } = view
  const part = { x: (crop.right - crop.left) * width, y: (crop.bottom - crop.top) * height }
  const wanted = crop === WHOLE ? DOTS_PER_INCH : 2 * DOTS_PER_INCH
  const size = fitted((part.x * wanted) / POINTS_PER_INCH, (part.y * wanted) / POINTS_PER_INCH)
  const scale = Math.max(size.width / part.x, size.height / part.y)
  const stride = size.width * 4
  const memory = pdfium.allocate(stride * size.height)
  const { calls } = pdfium
  const bitmap = calls.FPDFBitmap_CreateEx(size.width, size.height, RGBA, memory, stride)
  try {
    calls.FPDFBitmap_FillRect(bitmap, 0, 0, size.width, size.height, WHITE)
    calls.FPDF_RenderPageBitmap(
      bitmap,
      page,
      -Math.round(crop.left * width * scale),
      -Math.round(crop.top * height * scale),
      Math.round(width * scale),
      Math.round(height * scale),
      0,
      REVERSE_BYTES | ANNOTATIONS,
    )
    const pixels = pdfium.take(memory, stride * size.height)
    return toPicture(Transformer.fromRgbaPixels(pixels, size.width, size.height), size)
  } finally {
    calls.FPDFBitmap_Destroy(bitmap)
    pdfium.free(memory)
  }
}
