import { counted, fail, ok, type Result } from '@filewright/protocol'

/** Page numbers from a range such as `1-5`, `3,7-9` or `400-`; all pages without one. */
export function parsePages(
  range: string | undefined,
  pageCount: number,
  path: string,
): Result<number[], 'INVALID_ARGUMENT' | 'NO_SUCH_REGION'> {
  const pages: number[] = []
  for (const part of (range ?? '1-').split(',')) {
    const found = /^\s*(\d{1,7})\s*(?:([-–:])\s*(\d{1,7})?)?\s*$/.exec(part)
    const first = Number(found?.[1])
    const last = !found?.[2] ? first : found[3] ? Number(found[3]) : pageCount
    if (!found || first < 1 || last < first)
      return fail(
        'INVALID_ARGUMENT',
        `Cannot read pages ${JSON.stringify(range)} of "${path}": pages are counted from 1 and named like 1-5 or 3,7-9. It has ${counted(pageCount, 'page')}.`,
      )
    if (first > pageCount)
      return fail(
        'NO_SUCH_REGION',
        `Cannot read page ${first} of "${path}": its last page is ${pageCount}.`,
        { details: { lastPage: pageCount } },
      )
    for (let page = first; page <= Math.min(last, pageCount); page++) pages.push(page)
    if (pages.length > pageCount) break // a page named twice
  }
  return ok(pages)
}

/** `1-3, 7` */
export function describePages(pages: readonly number[]): string {
  const runs: [number, number][] = []
  for (const page of pages) {
    const last = runs.at(-1)
    if (last && page === last[1] + 1) last[1] = page
    else runs.push([page, page])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
