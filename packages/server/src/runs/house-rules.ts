import { isBinary } from '@filewright/documents/text'
import { parseDocPath } from '@filewright/protocol'
import type { SourceReader } from '@filewright/tools'
import { readableText } from './readable-text.ts'

const HOUSE_RULES = ['AGENTS.md', 'FILEWRIGHT.md']
const HOUSE_RULES_BYTES = 32 * 1024

/** The workspace owner's instructions to every model. */
export async function readHouseRules(reader: SourceReader) {
  const found = await Promise.all(
    HOUSE_RULES.map(async path => {
      const docPath = parseDocPath(path)
      const read = docPath.ok ? await reader.read(docPath.value) : undefined
      if (!read?.ok || isBinary(read.value.bytes)) return []
      const beginning = read.value.bytes.subarray(0, 4 * HOUSE_RULES_BYTES) // the prompt cuts, and says so
      return [{ path: read.value.path, text: readableText(beginning) }]
    }),
  )
  return found.flat()
}
