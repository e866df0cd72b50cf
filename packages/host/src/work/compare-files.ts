import { type Difference, editedAs, factsOf, formatFor } from '@filewright/documents'
import { fail, parseRelativePath, type Result, toDocPath } from '@filewright/protocol'
import { startEngines } from '../owner/engines.ts'
import { readConfig } from '../settings/config.ts'

/** A file by its name and its bytes, wherever it is. */
export interface ComparedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** How two files of one format differ, as a review shows it. */
export async function compareFiles(
  before: ComparedFile,
  after: ComparedFile,
): Promise<Result<Difference>> {
  const [old, now] = [formatOf(before), formatOf(after)]
  if (old === undefined || old !== now)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot compare "${before.name}" with "${after.name}": ${describe(before, old)}, ${describe(after, now)}. Two files of one format can be compared.`,
    )
  if (!factsOf(old).has.diff)
    return fail('READ_ONLY_FORMAT', `Cannot compare ${factsOf(old).words.file} with another.`)
  const path = parseRelativePath(after.name)
  if (!path.ok) return path
  const { engines, close } = startEngines(readConfig())
  try {
    const engine = factsOf(old).hostile ? engines.hostile : engines.trusted
    const name = { path: path.value, docPath: toDocPath(path.value) }
    return await engine.diff({ format: old, name, before: before.bytes, after: after.bytes })
  } finally {
    await close()
  }
}

function formatOf({ name, bytes }: ComparedFile) {
  const path = parseRelativePath(name)
  const facts = path.ok ? formatFor(toDocPath(path.value), bytes) : undefined
  return facts && editedAs(facts.id)
}

function describe({ name }: ComparedFile, id: ReturnType<typeof formatOf>): string {
  return `"${name}" is ${id === undefined ? 'of no format that is read here' : factsOf(id).words.file}`
}
