import type { Handle } from '../library/pdfium.ts'
import type { OpenPdf } from '../library/with-document.ts'

export interface OutlineEntry {
  readonly title: string
  /** 1 is the top. */
  readonly level: number
  readonly page?: number
}

const MOST_ENTRIES = 200
const MOST_LEVELS = 8

/** Its headings, in order. A broken outline may lead in a circle: no entry is visited twice. */
export function outlineOf({ pdfium, handle }: OpenPdf): {
  entries: OutlineEntry[]
  isCut: boolean
} {
  const { calls } = pdfium
  const entries: OutlineEntry[] = []
  const seen = new Set<Handle>()
  let isCut = false
  const walk = (first: Handle, level: number) => {
    for (let at = first; at; at = calls.FPDFBookmark_GetNextSibling(handle, at)) {
      if (seen.has(at)) return
      seen.add(at)
      if (entries.length === MOST_ENTRIES) {
        isCut = true
        return
      }
      entries.push(toEntry(at, level))
      if (level < MOST_LEVELS) walk(calls.FPDFBookmark_GetFirstChild(handle, at), level + 1)
    }
  }
  const toEntry = (bookmark: Handle, level: number): OutlineEntry => {
    const title = pdfium.text((buffer, bytes) =>
      calls.FPDFBookmark_GetTitle(bookmark, buffer, bytes),
    )
    const target = calls.FPDFBookmark_GetDest(handle, bookmark)
    const page = target ? calls.FPDFDest_GetDestPageIndex(handle, target) : -1
    return { title: title.trim().slice(0, 200), level, ...(page >= 0 && { page: page + 1 }) }
  }
  walk(calls.FPDFBookmark_GetFirstChild(handle, 0), 1)
  return { entries, isCut }
}
