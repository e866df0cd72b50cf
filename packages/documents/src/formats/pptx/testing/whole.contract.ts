import { unwrap } from '@filewright/protocol'
import { OpcPackage } from '../../../opc/index.ts'

/** Parts that nothing links to, links to parts that are not there, and types of parts that are not there. */
export function looseEnds(bytes: Uint8Array): readonly string[] {
  const opc = unwrap(OpcPackage.open(bytes))
  const faults: string[] = []
  const seen = new Set<string>()
  const open = ['']
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const { target, isExternal, kind } of opc.relationships(name)) {
      if (isExternal || target === '' || /(^|\/)NULL$/i.test(target)) continue
      if (!opc.has(target)) {
        faults.push(`${name} links to ${target} (${kind}), which is not there`)
        continue
      }
      const own = opc.spellingOf(target)
      if (!seen.has(own)) {
        seen.add(own)
        open.push(own)
      }
    }
  }
  for (const name of opc.names)
    if (!/(\.rels|\[Content_Types\]\.xml|\/)$/i.test(name) && !seen.has(name))
      faults.push(`nothing links to ${name}`)
  const types = Buffer.from(unwrap(opc.part('[Content_Types].xml'))).toString('utf8')
  for (const [, name] of types.matchAll(/PartName="\/([^"]+)"/g))
    if (!opc.has(name!))
      faults.push(`[Content_Types].xml has a type for ${name}, which is not there`)
  return faults
}
