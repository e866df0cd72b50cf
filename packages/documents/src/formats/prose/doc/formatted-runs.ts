import type { Buffer } from 'node:buffer'

const PAGE_BYTES = 512

/** Which bytes of the text have which properties: pages of runs, listed in a table. */
export interface RunTable {
  readonly stream: Buffer
  readonly table: Buffer
  /** Where the list of pages is in the table. */
  readonly start: number
  readonly length: number
  readonly of: 'paragraphs' | 'characters'
}

export interface FormattedRun {
  /** Offsets in the stream. */
  readonly start: number
  readonly end: number
  /** Switches that are on, by their codes. */
  readonly switches: ReadonlySet<number>
}

/** A page counts once however often it is listed, so there are fewer runs than bytes. */
export function* formattedRuns({ stream, table, start, length, of }: RunTable) {
  const pageCount = Math.floor((length - 4) / 8)
  if (pageCount < 1 || start + length > table.length) return
  const seen = new Set<number>()
  for (let index = 0; index < pageCount; index++) {
    const number = table.readUInt32LE(start + 4 * (pageCount + 1) + 4 * index) & 0x3fffff
    const page = stream.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES)
    if (seen.has(number) || page.length < PAGE_BYTES) continue
    seen.add(number)
    yield* runsOn(page, of)
  }
}

function* runsOn(page: Buffer, of: RunTable['of']): Generator<FormattedRun> {
  const count = page[PAGE_BYTES - 1]!
  const width = of === 'paragraphs' ? 13 : 1
  if (4 * (count + 1) + width * count > PAGE_BYTES - 1) return
  for (let run = 0; run < count; run++) {
    const at = 2 * page[4 * (count + 1) + width * run]!
    const switches = at === 0 ? new Set<number>() : switchesIn(propertiesAt(page, at, of))
    yield { start: page.readUInt32LE(4 * run), end: page.readUInt32LE(4 * run + 4), switches }
  }
}

function propertiesAt(page: Buffer, at: number, of: RunTable['of']): Buffer {
  const size = page[at]!
  if (of === 'characters') return page.subarray(at + 1, at + 1 + size)
  const start = size === 0 ? at + 2 : at + 1
  const end = start + (size === 0 ? 2 * (page[at + 1] ?? 0) : 2 * size - 1)
  return page.subarray(start + 2, end) // after the number of its style
}

const LONG_TABLE = 0xd608

/** A property is a code of two bytes, which says how many bytes follow. */
function switchesIn(properties: Buffer): Set<number> {
  const on = new Set<number>()
  for (let at = 0; at + 3 <= properties.length; ) {
    const code = properties.readUInt16LE(at)
    at += 2
    const kind = code >> 13
    if (kind < 2) {
      if (properties[at] === 1) on.add(code)
      at += 1
    } else if (kind === 3) at += 4
    else if (kind === 7) at += 3
    else if (kind !== 6) at += 2
    else if (code !== LONG_TABLE) at += 1 + properties[at]!
    else at += at + 2 <= properties.length ? properties.readUInt16LE(at) + 1 : 2
  }
  return on
}
