import {
  BytePattern,
  bufferOf,
  declarations,
  NamespaceScope,
  Splices,
  XML_BAD,
  XML_CLOSE,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XmlReader,
} from '../../../opc/index.ts'

const DECLARATION = new BytePattern('xmlns', 'x')
const LONGEST_DECLARATION = 300 // bytes; vocabularies have names of up to 100

/**
 * Whether an element may not be what its prefix says: cells are found by the one prefix of `sheetData`, and a sheet may
 * bind others to the same vocabulary, or that prefix to another one. Looks at declarations alone, so it is cheap, and
 * sometimes true for nothing.
 */
export function mayMixPrefixes(
  bytes: Uint8Array,
  root: { readonly start: number; readonly end: number },
  prefix: string,
): boolean {
  const own = prefix.slice(0, -1)
  let vocabulary: string | undefined
  const others: string[] = []
  for (let at = DECLARATION.find(bytes, root.start); at >= 0; ) {
    const text = bufferOf(bytes).toString('latin1', at, at + LONGEST_DECLARATION)
    const [, declared = '', uri] = /^xmlns(?::([^\s=]+))?\s*=\s*["']([^"']*)/.exec(text) ?? []
    if (uri !== undefined && declared !== own) others.push(uri)
    if (uri !== undefined && declared === own) {
      if (vocabulary !== undefined && uri !== vocabulary) return true
      vocabulary = uri
    }
    at = DECLARATION.find(bytes, at + DECLARATION.length)
  }
  return vocabulary !== undefined && others.includes(vocabulary)
}

/** The name of an element of the cells' vocabulary, in an opening or closing tag. */
interface OwnName {
  readonly start: number
  /** With its colon. */
  readonly prefixLength: number
}

interface Names {
  readonly own: readonly OwnName[]
  /** Each element has the prefix exactly if it belongs to the vocabulary. */
  readonly isPlain: boolean
  /** The prefix stands for the vocabulary at each of these, and for nothing else inside the cells. */
  readonly isUsable: boolean
  readonly uri: string
  readonly rootNameEnd: number
}

/**
 * The sheet with all elements of its vocabulary in one prefix: what it says is the same, and whoever reads or edits it
 * meets no other. Undefined where it is so already.
 */
export function withOnePrefix(bytes: Uint8Array, prefix: string): Uint8Array | undefined {
  const names = namesOf(bytes, prefix)
  if (!names || names.isPlain) return undefined
  const splices = new Splices()
  const wanted = names.isUsable ? prefix : `${freePrefix(bytes)}:`
  for (const { start, prefixLength } of names.own) {
    const written = bufferOf(bytes).toString('utf8', start, start + prefixLength)
    if (written !== wanted) splices.replace(start, start + prefixLength, wanted)
  }
  if (!names.isUsable)
    splices.insert(names.rootNameEnd, ` xmlns:${wanted.slice(0, -1)}="${names.uri}"`)
  return splices.apply(bytes)
}

interface Open {
  readonly scope: NamespaceScope
  readonly isOwn: boolean
}

function namesOf(bytes: Uint8Array, prefix: string): Names | undefined {
  const reader = new XmlReader(bytes)
  const open: Open[] = [{ scope: NamespaceScope.EMPTY, isOwn: false }]
  const found = { own: [] as OwnName[], isPlain: true, isUsable: true, uri: '', rootNameEnd: 0 }
  let inside = ''
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD) return undefined
    if (kind === XML_END) return found.uri === '' ? undefined : found
    if (kind !== XML_OPEN && kind !== XML_EMPTY && kind !== XML_CLOSE) continue
    const name = bufferOf(bytes).toString('utf8', reader.nameStart, reader.nameEnd)
    const written = name.slice(0, name.indexOf(':') + 1)
    const place = { start: reader.nameStart, prefixLength: written.length }
    if (kind === XML_CLOSE) {
      if (open.pop()!.isOwn) found.own.push(place)
      continue
    }
    const scope = open.at(-1)!.scope.with(declarations(reader))
    const meaning = scope.uris.get(written.slice(0, -1))
    if (reader.depth === 1) {
      found.uri = meaning ?? ''
      found.rootNameEnd = reader.nameEnd
    }
    if (reader.depth === 2) inside = name.slice(written.length)
    // What extensions hold is read by its vocabulary, and often brings its own prefixes.
    const isExtension = inside === 'extLst' && reader.depth > 2
    const isOwn = meaning === found.uri && !isExtension
    if (isOwn) {
      found.own.push(place)
      if (written !== prefix) found.isPlain = false
      if (scope.uris.get(prefix.slice(0, -1)) !== meaning) found.isUsable = false
    } else if (inside === 'sheetData' && written === prefix) found.isPlain = found.isUsable = false
    if (kind === XML_OPEN) open.push({ scope, isOwn })
  }
}

/** A prefix that the sheet declares nowhere. */
function freePrefix(bytes: Uint8Array): string {
  let number = 1
  while (bufferOf(bytes).includes(`xmlns:s${number}`)) number++
  return `s${number}`
}
