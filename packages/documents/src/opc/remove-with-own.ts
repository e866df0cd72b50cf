import type { LivePackage } from './live-package.ts'

/** Removes a part, and what only it linked to. */
export function removeWithOwn(own: LivePackage, part: string): void {
  const candidates = reachable(own, [part])
  own.removePart(part)
  const roots = own.links('').flatMap(({ target, isExternal }) => (isExternal ? [] : [target]))
  const needed = reachable(own, roots)
  for (const name of candidates) if (!needed.has(name)) own.removePart(name)
}

function reachable(own: LivePackage, from: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const open = from.filter(name => own.has(name))
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    for (const { target, isExternal } of own.links(name))
      if (!isExternal && own.has(target) && !seen.has(target)) open.push(target)
  }
  return seen
}
