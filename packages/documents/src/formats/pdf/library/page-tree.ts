import { Buffer } from 'node:buffer'

const OBJECT_BYTES = 2_048 // before and after its type: enough for the dictionary of a root
const MOST_ROOTS = 100
const MOST_PAGES = 1_000_000

/**
 * What is wrong with the root of the page tree; undefined for a sound one, and for one in a compressed stream. The library
 * repairs such a root silently and shows pages that no other reader would.
 */
export function findBrokenTree(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let broken: string | undefined
  let at = file.indexOf('/Pages')
  for (let found = 0; at >= 0 && found < MOST_ROOTS; at = file.indexOf('/Pages', at + 6)) {
    const root = objectAround(file, at)
    if (!root || !/\/Type\s*\/Pages\b/.test(root) || /\/Parent\b/.test(root)) continue
    found++
    broken = describeCount(file, root) // of several versions, the last counts
  }
  return broken
}

function objectAround(file: Buffer, at: number): string | undefined {
  const start = file.lastIndexOf(' obj', at)
  const end = file.indexOf('endobj', at)
  if (start < 0 || end < 0 || at - start > OBJECT_BYTES || end - at > OBJECT_BYTES) return undefined
  return file.toString('latin1', start, end)
}

function describeCount(file: Buffer, root: string): string | undefined {
  const reference = /\/Count\s+(\d+)\s+(\d+)\s+R\b/.exec(root)
  const count = reference
    ? countAt(file, `${reference[1]} ${reference[2]} obj`)
    : /\/Count\s+([+-]?\d+)/.exec(root)?.[1]
  if (reference && count === undefined) return 'the number of its pages refers to no number'
  if (count === undefined) return undefined
  const pages = Number(count)
  return pages < 0 || pages > MOST_PAGES ? `it claims to have ${count} pages` : undefined
}

/** The number that an object consists of. */
function countAt(file: Buffer, head: string): string | undefined {
  for (
    let at = file.lastIndexOf(head);
    at >= 0;
    at = at > 0 ? file.lastIndexOf(head, at - 1) : -1
  ) {
    const isWhole = at === 0 || /[\s]/.test(String.fromCharCode(file[at - 1]!))
    if (!isWhole) continue
    const text = file.toString('latin1', at + head.length, at + head.length + 40)
    return /^\s*(\d+)\s*endobj/.exec(text)?.[1]
  }
  return undefined
}
