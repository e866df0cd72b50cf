import type { DocPath } from '@filewright/protocol'
import type { ReadableFormat } from './format.ts'
import type { FormatDeclaration, FormatFacts, FormatId } from './format-facts.ts'
import * as listed from './formats/index.ts'

/** Every format: first those that claim names, then those that inspect the bytes. */
export const FORMATS: readonly FormatFacts[] = toFormats(listed)

const byId = new Map<string, FormatFacts>(FORMATS.map(facts => [facts.id, facts]))
const byEnding = new Map(FORMATS.flatMap(facts => facts.endings.map(ending => [ending, facts])))

const byUsualName = new Map(
  FORMATS.flatMap(facts => (facts.usualNames ?? []).map(name => [name, facts])),
)

/** Lines of text: the content of TUL-002's patches and new files. */
export const LINE_TEXT: FormatId = factsOf('text').id

/** The format whose operations change such a file; a draft keeps it under this one. */
export function editedAs(id: FormatId): FormatId {
  return factsOf(id).isLines ? LINE_TEXT : id
}

/** The format that reads a file which is drafted as another: lines of text may have a table in them. */
export function readAs(docPath: DocPath, drafted: FormatId): FormatId {
  const claimant = formatByName(docPath)
  return claimant && editedAs(claimant.id) === drafted ? claimant.id : drafted
}

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

/** As well as a name can say: the bytes of the file have the last word. Undefined for a name that says nothing. */
export function likelyFormat(docPath: DocPath): FormatFacts | undefined {
  const own = docPath.slice(docPath.lastIndexOf('/') + 1)
  const ending = own.slice(Math.max(0, own.lastIndexOf('.')))
  return formatByName(docPath) ?? byUsualName.get(ending)
}

/** By the name's ending, else by the bytes; undefined for a file that no format reads. */
export function formatFor(docPath: DocPath, bytes: Uint8Array): FormatFacts | undefined {
  return formatByName(docPath) ?? FORMATS.find(({ recognises }) => recognises?.(bytes))
}

const loaded = new Map<FormatId, ReadableFormat>()

/** The code of a format, cached after loading. */
export async function loadFormat(id: FormatId): Promise<ReadableFormat> {
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
  const all = Object.entries(declared).map(([id, facts]): FormatFacts => {
    const { tool, operations } = facts.editing ?? {}
    return {
      ...facts,
      id: id as FormatId,
      isPacked: facts.isPacked ?? false,
      isLines: facts.isLines ?? false,
      has: facts.has ?? { rebase: false, preview: false },
      ...((tool ?? operations) && { tool: tool ?? `${id}_operations` }),
    }
  })
  const isNamed = ({ endings }: FormatFacts) => endings.length > 0
  return [...all.filter(isNamed), ...all.filter(facts => !isNamed(facts))]
}
