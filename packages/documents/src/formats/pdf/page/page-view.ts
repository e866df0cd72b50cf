import type { Handle, Pdfium } from '../library/pdfium.ts'
import type { OpenPdf } from '../library/with-document.ts'
import type { PageBox } from './geometry.ts'

/** One page, loaded for as long as `work` runs. */
export interface PageView {
  readonly pdfium: Pdfium
  readonly page: Handle
  /** Counted from 1. */
  readonly number: number
  readonly width: number
  readonly height: number
  /** Quarter turns, clockwise. */
  readonly rotation: number
  /** A box of the file, turned as the page is shown. */
  toBox(left: number, bottom: number, right: number, top: number): PageBox
}

const MOST_POINTS = 200_000 // of a page's side: 70 m

/** Undefined for a page that the file does not really have. */
export function withPage<Value>(
  { pdfium, handle }: OpenPdf,
  number: number,
  work: (view: PageView) => Value,
): Value | undefined {
  const { calls } = pdfium
  const page = calls.FPDF_LoadPage(handle, number - 1)
  if (!page) return undefined
  try {
    const width = calls.FPDF_GetPageWidthF(page)
    const height = calls.FPDF_GetPageHeightF(page)
    if (!(width > 0 && height > 0 && width < MOST_POINTS && height < MOST_POINTS)) return undefined
    const [left = 0, top = height, right = width, bottom = 0] =
      pdfium.floats(4, at => calls.FPDF_GetPageBoundingBox(page, at!)) ?? []
    const rotation = calls.FPDFPage_GetRotation(page)
    const toBox = toShown({ left, top, right, bottom }, rotation)
    return work({ pdfium, page, number, width, height, rotation, toBox })
  } finally {
    calls.FPDF_ClosePage(page)
  }
}

/** The file counts from the bottom left of the unturned page. */
function toShown(page: PageBox, rotation: number): PageView['toBox'] {
  const point = (x: number, y: number): readonly [number, number] => {
    if (rotation === 1) return [y - page.bottom, x - page.left]
    if (rotation === 2) return [page.right - x, y - page.bottom]
    if (rotation === 3) return [page.top - y, page.right - x]
    return [x - page.left, page.top - y]
  }
  return (left, bottom, right, top) => {
    const [x1, y1] = point(left, bottom)
    const [x2, y2] = point(right, top)
    return {
      left: Math.min(x1, x2),
      top: Math.min(y1, y2),
      right: Math.max(x1, x2),
      bottom: Math.max(y1, y2),
    }
  }
}
