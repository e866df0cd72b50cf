import type { DocPath } from '@filewright/protocol'
import type { Format } from './format.ts'
import type { FormatDeclaration, FormatFacts, FormatId } from './format-facts.ts'
import * as listed from './formats/index.ts'

/** Every format: first those that claim names, then those that inspect the bytes. */
export const FORMATS: readonly FormatFacts[] = toFormats(listed)

const byId = new Map<string, FormatFacts>(FORMATS.map(facts => [facts.id, facts]))
const byEnding = new Map(FORMATS.flatMap(facts => facts.endings.map(ending => [ending, facts])))

/** Lines of text: the content of TUL-002's patches and new files. */
export const LINE_TEXT: FormatId = factsOf('text').id

/** Undefined for a file that no format here reads, such as one of a newer version. */
export function findFormat(id: string): FormatFacts | undefined {
  return byId.get(id)
}

/** For a file that was recognised before. */
export function factsOf(id: string): FormatFacts {
  const facts = byId.get(id)
  if (!facts) throw new Error(`There is no format "${id}"`)
  return facts
}

/** The format that claims the name; undefined where the bytes decide. */
export function formatByName(docPath: DocPath): FormatFacts | undefined {
  const dot = docPath.lastIndexOf('.')
  return dot < 0 ? undefined : byEnding.get(docPath.slice(dot))
}

/** By the name's ending, else by the bytes; undefined for a file that no format reads. */
export function formatFor(docPath: DocPath, bytes: Uint8Array): FormatFacts | undefined {
  return formatByName(docPath) ?? FORMATS.find(({ recognises }) => recognises?.(bytes))
}

const loaded = new Map<FormatId, Format>()

/** The code of a format, cached after loading. */
export async function loadFormat(id: FormatId): Promise<Format> {
  const known = loaded.get(id)
  if (known) return known
  const format = await factsOf(id).load()
  loaded.set(id, format)
  return format
}

/** Throws if two formats claim one ending: the format of a file would depend on their order. */
export function toFormats(
  declared: Readonly<Record<string, FormatDeclaration>>,
): readonly FormatFacts[] {
  const claimed = new Map<string, string>()
  for (const [id, { endings }] of Object.entries(declared))
    for (const ending of endings) {
      const other = claimed.get(ending)
      if (other) throw new Error(`The formats ${other} and ${id} both claim names in ${ending}`)
      claimed.set(ending, id)
    }
  const all = Object.entries(declared).map(([id, facts]) => {
    const { tool, operations } = facts.editing ?? {}
    return { ...facts, id: id as FormatId, tool: tool ?? (operations && `${id}_operations`) }
  })
  const isNamed = ({ endings }: FormatDeclaration) => endings.length > 0
  return [...all.filter(isNamed), ...all.filter(facts => !isNamed(facts))]
}
