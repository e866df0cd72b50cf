import type { DocPath } from '@filewright/protocol'
import type { Format } from './format.ts'
import type { FormatDeclaration, FormatFacts, FormatId } from './format-facts.ts'
import * as listed from './formats/index.ts'

/** Every format: those that claim names first, then whoever looks at the bytes. */
export const FORMATS: readonly FormatFacts[] = toFormats(listed)

const byId = new Map<string, FormatFacts>(FORMATS.map(facts => [facts.id, facts]))
const byEnding = new Map(FORMATS.flatMap(facts => facts.endings.map(ending => [ending, facts])))

/** Lines of text, which TUL-002's patches and new files are made of. */
export const LINE_TEXT: FormatId = factsOf('text').id

/** Undefined for what no format here reads, such as the file of a newer version. */
export function findFormat(id: string): FormatFacts | undefined {
  return byId.get(id)
}

/** Of a file that was recognised before. */
export function factsOf(id: string): FormatFacts {
  const facts = byId.get(id)
  if (!facts) throw new Error(`There is no format "${id}"`)
  return facts
}

/** Who claims the name; undefined where its bytes decide. */
export function formatByName(docPath: DocPath): FormatFacts | undefined {
  const dot = docPath.lastIndexOf('.')
  return dot < 0 ? undefined : byEnding.get(docPath.slice(dot))
}

/** By the name's ending, else by the bytes; undefined for what nothing here reads. */
export function formatFor(docPath: DocPath, bytes: Uint8Array): FormatFacts | undefined {
  return formatByName(docPath) ?? FORMATS.find(({ recognises }) => recognises?.(bytes))
}

const loaded = new Map<FormatId, Format>()

/** The code of a format, kept once it was loaded. */
export async function loadFormat(id: FormatId): Promise<Format> {
  const known = loaded.get(id)
  if (known) return known
  const format = await factsOf(id).load()
  loaded.set(id, format)
  return format
}

/** An ending that two formats claim throws: which of them a file is would depend on their order. */
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
