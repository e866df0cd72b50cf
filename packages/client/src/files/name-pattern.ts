import { type DocPath, toDocPath } from '@filewright/protocol'

/**
 * Narrows a listing to paths that contain the text, or that match it as a pattern when it has a `*`. A `*` matches
 * anything, folders too; a pattern without a slash matches a name in any folder. A hostile pattern takes no longer.
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
  const end = sought.endsWith('/**') ? '/' : '' // a path with exactly that name matches too
  return docPath => isOfForm(doubled(`/${docPath}${end}`), pieces)
}

const MOST_FORMS = 64 // what braces may unfold to

/** Several patterns, with commas between them: `*.ts, *.{js,jsx}, !*.test.ts`; one that begins with `!` excludes. */
export function toNamesFilter(patterns: string): (docPath: string) => boolean {
  const all = unfold(patterns).map(pattern => pattern.trim())
  const wanted = all.filter(pattern => pattern !== '' && !pattern.startsWith('!')).map(toNameFilter)
  const unwanted = all.filter(pattern => /^!./.test(pattern)).map(one => toNameFilter(one.slice(1)))
  return docPath =>
    (wanted.length === 0 || wanted.some(isOne => isOne(docPath))) &&
    !unwanted.some(isOne => isOne(docPath))
}

function unfold(patterns: string): string[] {
  let forms = patterns.split(/,(?![^{}]*\})/)
  for (let brace = firstBrace(forms); brace && forms.length < MOST_FORMS; brace = firstBrace(forms))
    forms = forms.flatMap(form => {
      const [whole, choices] = BRACE.exec(form) ?? []
      return whole === undefined ? form : choices!.split(',').map(one => form.replace(whole, one))
    })
  return forms
}

const BRACE = /\{([^{}]*)\}/

function firstBrace(forms: readonly string[]): string | undefined {
  return forms.find(form => BRACE.test(form))
}

const ANY_FOLDERS = /\/(?:\*\*\/)+/

/** Makes any number of folders, including none, match any text between two slashes. */
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
