import type { ChangesOnly, Fields } from '@filewright/protocol'

/** The call that a refusal offers, made of the arguments sent, as docs/tools.md says. */
export function mergeCorrected(sent: Fields, corrected: Fields | ChangesOnly): Fields {
  if (corrected.changesOnly !== true) return { ...corrected }
  const { rename = {}, drop = [], set = {} } = structuredClone(corrected) as ChangesOnly
  const merged = structuredClone(sent) as Fields
  const moved = Object.entries(rename).map(([from, to]) => [to, at(sent, from)] as const)
  for (const place of [...drop, ...Object.keys(rename)]) put(merged, place, undefined)
  for (const [place, value] of [...Object.entries(set), ...moved]) put(merged, place, value)
  return JSON.parse(JSON.stringify(merged))
}

function at(value: unknown, place: string): unknown {
  return partsOf(place).reduce((inside, name) => (parsed(inside) as Fields)[name], value)
}

/** A list may have been sent as JSON text; its places are those of the list. */
function put(value: unknown, place: string, own: unknown): void {
  const [last, ...parts] = partsOf(place).reverse()
  let inside = value as Record<string, unknown>
  for (const name of parts.reverse()) {
    inside[name] = parsed(inside[name])
    if (inside[name] === undefined) return
    inside = inside[name] as Record<string, unknown>
  }
  inside[last!] = own
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}

function partsOf(place: string): string[] {
  return place
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
