import type { Manuscript } from '../story/manuscript.ts'
import type { Story } from '../story/story.ts'
import { deviationsOf } from './direct-formatting.ts'

const MOST_STYLES = 50
const MOST_RANGES = 60

export interface StyleField {
  readonly name: string
  readonly count: number
  /** Paragraphs that direct formatting makes look different, and how. */
  readonly deviating?: readonly string[]
  readonly deviations?: readonly string[]
}

/** The styles of the body, the most frequent first. */
export function stylesInUse({ body, styles }: Manuscript): readonly StyleField[] {
  const found = new Map<string, { count: number; ids: string[]; names: Set<string> }>()
  for (const { node, id } of body.paragraphs) {
    const style = body.styleIdOf(node)
    const name =
      (style === undefined ? styles.defaultParagraph : styles.byId.get(style))?.name ??
      style ??
      'Normal'
    const own = found.get(name) ?? { count: 0, ids: [], names: new Set() }
    found.set(name, own)
    own.count++
    const deviations = deviationsOf(node)
    if (deviations.length === 0) continue
    own.ids.push(id)
    for (const each of deviations) own.names.add(each)
  }
  return [...found]
    .sort((a, b) => b[1].count - a[1].count)
    .slice(0, MOST_STYLES)
    .map(([name, { count, ids, names }]) => ({
      name,
      count,
      ...(ids.length > 0 && { deviating: rangesOf(body, ids), deviations: [...names] }),
    }))
}

/** `p3-p7` for paragraphs that follow one another. */
function rangesOf({ paragraphs }: Story, ids: readonly string[]): readonly string[] {
  const position = new Map(paragraphs.map(own => [own.id, own.position]))
  const ranges: { first: string; last: string }[] = []
  for (const id of ids) {
    const open = ranges.at(-1)
    if (open && position.get(open.last)! + 1 === position.get(id)) open.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges
    .slice(0, MOST_RANGES)
    .map(({ first, last }) => (first === last ? first : `${first}-${last}`))
}
