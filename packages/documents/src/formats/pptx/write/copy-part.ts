import type { DeckPackage } from '../parts/deck-package.ts'

/** Whatever many slides may share. */
const SHARED: ReadonlySet<string> = new Set([
  'slideLayout',
  'slideMaster',
  'notesMaster',
  'theme',
  'image',
  'media',
  'video',
  'audio',
  'slide',
  'font',
])
/** Belongs to the slide that people talked about, and to none that looks like it. */
export const LEFT: ReadonlySet<string> = new Set(['comments', 'commentAuthors'])

/** Copies a part with everything that belongs to it alone; returns the name of the copy. */
export function copyWithOwn(
  own: DeckPackage,
  part: string,
  copies: Map<string, string> = new Map(),
): string {
  const known = copies.get(part)
  if (known !== undefined) return known
  const name = freeNameLike(own, part)
  copies.set(part, name)
  copyOne(own, part, name)
  for (const { id, kind, target, isExternal } of own.links(name)) {
    if (LEFT.has(kind)) own.removeLink(name, id)
    else if (isExternal || !own.has(target)) continue
    else if (copies.has(target)) own.retarget(name, id, copies.get(target)!)
    else if (!SHARED.has(kind)) own.retarget(name, id, copyWithOwn(own, target, copies))
  }
  return name
}

/** The part alone, out of the same package or another one; its links still name what they named there. */
export function copyOne(own: DeckPackage, part: string, name: string, source = own): void {
  const type = source.typeOf(part) ?? 'application/octet-stream'
  const isXml = /\.(xml|rels|vml)$/i.test(part) && source.findTree(part) !== undefined
  if (isXml) return own.copyPart(part, name, type, source)
  const bytes = source.bytesOf(part)
  if (bytes.ok) own.addPart(name, type, bytes.value)
}

/** `ppt/charts/chart4.xml` for `ppt/charts/chart1.xml`. */
export function freeNameLike(own: DeckPackage, part: string): string {
  const dot = part.lastIndexOf('.')
  const stem = part.slice(0, dot < 0 ? part.length : dot).replace(/\d+$/, '')
  return own.freeName(stem, dot < 0 ? '' : part.slice(dot))
}
