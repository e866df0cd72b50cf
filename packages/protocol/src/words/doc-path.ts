import { fail, ok, type Result } from './result.ts'

/** The only key of a file: canonical, and made only by `parseDocPath`. */
export type DocPath = string & { readonly __brand: 'DocPath' }

/** A workspace-relative path in its present or future spelling on disk; safe, `/` separated. */
export type RelativePath = string & { readonly __brand: 'RelativePath' }

/** One place inside a document, e.g. `src/a.cs#method:Total`. Information, never a key. */
export type ChunkPath = string & { readonly __brand: 'ChunkPath' }

const MAX_SEGMENT_BYTES = 255 // the common limit of file systems for one name
const MAX_PATH_BYTES = 4096 // PATH_MAX on Linux; other systems allow less only in legacy modes
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\..*)?$/i

/** Matches most spellings: nothing to tidy, and only a device name could be wrong. */
const PLAIN = /^[\w-]+(?:[./][\w-]+)*$/
const PLAIN_DEVICE = /(?:^|\/)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$)/i

/** Checks and tidies a spelling from a model or person, and keeps its case: `.\Src\A.cs` → `Src/A.cs`. */
export function parseRelativePath(spelling: string): Result<RelativePath, 'InvalidPath'> {
  const refuse = (found: string) =>
    fail(
      'InvalidPath',
      `Cannot use the path ${quote(spelling)}: ${found}. Use a path relative to the workspace root, such as "src/app.ts".`,
    )
  if (typeof spelling !== 'string') return refuse('it is empty')
  const isShort = spelling.length <= MAX_SEGMENT_BYTES
  if (isShort && PLAIN.test(spelling) && !PLAIN_DEVICE.test(spelling))
    return ok(spelling as RelativePath)
  if (spelling.length > 4 * MAX_PATH_BYTES)
    return refuse(`it is longer than ${MAX_PATH_BYTES} bytes`) // however it is tidied
  if (spelling.trim() === '') return refuse('it is empty')
  if (/\p{Surrogate}/u.test(spelling)) return refuse('it is not valid Unicode (a lone surrogate)')
  if (/[\u0000-\u001f\u007f]/.test(spelling)) return refuse('it holds a control character')
  if (spelling.includes('\uFFFD'))
    return refuse(
      'it contains U+FFFD, which replaces undecodable bytes of a name, so it identifies no file',
    )
  const slashed = spelling.normalize('NFC').replaceAll('\\', '/')
  if (slashed.startsWith('//')) return refuse('it is a network (UNC) path')
  if (slashed.startsWith('/')) return refuse('it is absolute')
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(slashed)) return refuse('it is an address, not a path')
  const segments = slashed.split('/').filter(segment => segment !== '' && segment !== '.')
  if (segments.length === 0) return refuse('it names the workspace root itself, not a file')
  if (slashed.endsWith('/')) return refuse('it ends with "/", so it names a folder')
  for (const segment of segments) {
    const problem = findSegmentProblem(segment)
    if (problem) return refuse(problem)
  }
  const path = segments.join('/')
  // checked in its final form: "./c:/x" is a drive too, once tidied
  if (/^[a-z]:/i.test(path)) return refuse('it names a drive')
  if (path === '~' || path.startsWith('~/')) return refuse('it starts at a home folder')
  if (utf8Length(path) > MAX_PATH_BYTES) return refuse(`it is longer than ${MAX_PATH_BYTES} bytes`)
  return ok(path as RelativePath)
}

export function parseDocPath(spelling: string): Result<DocPath, 'InvalidPath'> {
  const path = parseRelativePath(spelling)
  return path.ok ? ok(toDocPath(path.value)) : path
}

/** For a path known to be safe: listed by the disk itself, or parsed before. */
export function toDocPath(path: RelativePath | DocPath): DocPath {
  if (ASCII.test(path)) return path.toLowerCase() as DocPath
  return path.normalize('NFC').toLowerCase().normalize('NFC') as DocPath
}

const ASCII = /^[\x20-\x7e]*$/ // one form only

/** Groups of spellings that fold to one docPath; every spelling of a group is refused as a conflict. */
export function findCollisions(paths: readonly RelativePath[]): Map<DocPath, RelativePath[]> {
  const byDocPath = new Map<DocPath, RelativePath[]>()
  for (const path of paths) {
    const docPath = toDocPath(path)
    const group = byDocPath.get(docPath)
    if (group) group.push(path)
    else byDocPath.set(docPath, [path])
  }
  for (const [docPath, group] of byDocPath) if (group.length === 1) byDocPath.delete(docPath)
  return byDocPath
}

export function toChunkPath(docPath: DocPath, kind: string, name: string): ChunkPath {
  return `${docPath}#${kind}:${name}` as ChunkPath
}

export interface ChunkPlace {
  readonly docPath: DocPath
  readonly kind: string
  readonly name: string
}

export function parseChunkPath(spelling: string): Result<ChunkPlace, 'InvalidPath'> {
  const hash = spelling.lastIndexOf('#')
  const colon = spelling.indexOf(':', hash + 1)
  if (hash < 1 || colon < hash + 2 || colon === spelling.length - 1)
    return fail(
      'InvalidPath',
      `Cannot use ${quote(spelling)} as a chunkPath: it is not of the form "path#kind:name", such as "src/a.cs#method:Total".`,
    )
  const docPath = parseDocPath(spelling.slice(0, hash))
  if (!docPath.ok) return docPath
  return ok({
    docPath: docPath.value,
    kind: spelling.slice(hash + 1, colon),
    name: spelling.slice(colon + 1),
  })
}

function findSegmentProblem(segment: string): string | undefined {
  if (segment === '..') return 'it climbs out with ".."'
  if (DEVICE_NAME.test(segment)) return `"${segment}" is a device name on Windows`
  if (/[. ]$/.test(segment)) return `"${segment}" ends with a dot or a space, which Windows drops`
  if (utf8Length(segment) > MAX_SEGMENT_BYTES)
    return `a part of it is longer than ${MAX_SEGMENT_BYTES} bytes`
  return undefined
}

function utf8Length(text: string): number {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0)!
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

function quote(text: string): string {
  const shown = typeof text === 'string' && text.length > 120 ? `${text.slice(0, 120)}…` : text
  return JSON.stringify(shown)
}
