import { toBytes, unwrap } from '@filewright/protocol'
import {
  bufferOf,
  declarations,
  NamespaceScope,
  OpcPackage,
  Splices,
  uriOfPrefix,
  XML_BAD,
  XML_CLOSE,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XmlReader,
} from '../../../opc/index.ts'

const MAIN = [uriOfPrefix('x', false)!, uriOfPrefix('x', true)!]
const FOREIGN = 'urn:of-somebody-else'
/** Beside the one that the part uses. */
const PREFIXES = ['q0', 'q1', '']

/** The workbook with the elements of every sheet in prefixes chosen at random; each of them means the same as before. */
export function withMixedPrefixes(bytes: Uint8Array, random: () => number): Uint8Array {
  const own = unwrap(OpcPackage.open(bytes))
  const sheets = own.names.filter(name => /worksheets\/[^/]+\.xml$/i.test(name))
  const edits = new Map(sheets.map(name => [name, mixed(unwrap(own.part(name)), random)]))
  return toBytes(own.content(edits), bytes)
}

interface Open {
  /** As the part has it. */
  readonly before: NamespaceScope
  /** As it is now. */
  readonly after: NamespaceScope
  readonly name: string
}

export function mixed(bytes: Uint8Array, random: () => number): Uint8Array {
  const splices = new Splices()
  const reader = new XmlReader(bytes)
  const open: Open[] = [{ before: NamespaceScope.EMPTY, after: NamespaceScope.EMPTY, name: '' }]
  for (;;) {
    const kind = reader.next()
    if (kind === XML_END || kind === XML_BAD) return splices.apply(bytes)
    if (kind === XML_CLOSE) splices.replace(reader.nameStart, reader.nameEnd, open.pop()!.name)
    if (kind !== XML_OPEN && kind !== XML_EMPTY) continue
    const own = renamed(reader, open.at(-1)!, random)
    splices.replace(reader.nameStart, reader.nameEnd, own.text)
    if (kind === XML_OPEN) open.push(own)
  }
}

function renamed(reader: XmlReader, parent: Open, random: () => number): Open & { text: string } {
  const written = bufferOf(reader.bytes).toString('utf8', reader.nameStart, reader.nameEnd)
  const colon = written.indexOf(':')
  const prefix = colon < 0 ? '' : written.slice(0, colon)
  const local = written.slice(colon + 1)
  const declared = declarations(reader)
  const before = parent.before.with(declared)
  const uri = before.uris.get(prefix) ?? ''
  const kept = parent.after.with(declared)
  if (!MAIN.includes(uri)) {
    const isSame = (kept.uris.get(prefix) ?? '') === uri
    const after = isSame ? kept : kept.with([[prefix, uri]])
    return {
      before,
      after,
      name: written,
      text: isSame ? written : `${written}${word(prefix, uri)}`,
    }
  }
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const isFree = (own: string) => declared.every(([other]) => other !== own)
  const usable = [...PREFIXES, prefix].filter(own => isFree(own) || kept.uris.get(own) === uri)
  const chosen =
    random() < 0.3 ? pick(usable) : (usable.find(own => kept.uris.get(own) === uri) ?? pick(usable))
  const added: (readonly [string, string])[] = kept.uris.get(chosen) === uri ? [] : [[chosen, uri]]
  const poisoned = pick([...PREFIXES, prefix])
  if (random() < 0.1 && poisoned !== chosen && isFree(poisoned)) added.push([poisoned, FOREIGN])
  const name = chosen === '' ? local : `${chosen}:${local}`
  const words = added.map(([own, value]) => word(own, value)).join('')
  return { before, after: kept.with(added), name, text: `${name}${words}` }
}

function word(prefix: string, uri: string): string {
  return ` xmlns${prefix === '' ? '' : `:${prefix}`}="${uri}"`
}
