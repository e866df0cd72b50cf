import { type DocPath, toDocPath } from '@filewright/protocol'

/**
 * Which paths a listing is narrowed to: those that hold the text, or with a `*` those that are of its form. A `*` stands
 * for anything, folders too; a form without a slash is one of a name in any folder. Takes no longer for a pattern that
 * means harm.
 */
export function toNameFilter(pattern: string): (docPath: string) => boolean {
  const tidy = pattern
    .trim()
    .replaceAll('\\', '/')
    .replace(/^\.?(?:\/+|$)/, '')
  const sought = toDocPath(tidy as DocPath)
  if (!sought.includes('*')) return docPath => docPath.includes(sought)
  if (!sought.includes('/')) return docPath => isOfForm(lastName(docPath), sought.split('*'))
  const pieces = `/${sought}`.split(ANY_FOLDERS).map(doubled).join('/*/').split('*')
  const end = sought.endsWith('/**') ? '/' : '' // what has that name itself is meant too
  return docPath => isOfForm(doubled(`/${docPath}${end}`), pieces)
}

const ANY_FOLDERS = /\/(?:\*\*\/)+/

/** So that any folders, none among them, are any text between two slashes. */
function doubled(path: string): string {
  return path.replaceAll('/', '//')
}

function lastName(docPath: string): string {
  return docPath.slice(docPath.lastIndexOf('/') + 1)
}

/** The first piece at the beginning, the last at the end, the others between them in their order. */
function isOfForm(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!
  const last = pieces.at(-1)!
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= end
}
