import type { PromptFiles } from '@filewright/loop'
import { counted, toVersion } from '@filewright/protocol'
import type { ActiveFileContent, SessionActiveFiles } from '../sources/active-files.ts'
import { readableText } from './readable-text.ts'

const MAP_CHARS = 8_000 // limit for the map of one active file; get_file_info gives the rest

/** The active files for the prompt; the same object while nothing changed. What is not text is sent as its map. */
export function createActiveFilesSource(
  active: SessionActiveFiles,
  mapOf: (path: string) => Promise<string | undefined>,
  isInDraft: () => boolean,
): () => Promise<PromptFiles> {
  let held: { key: string; value: PromptFiles } = { key: '[]', value: { files: [] } }
  return async () => {
    const contents = await active.contents({ ofDraft: isInDraft() })
    const key = JSON.stringify(
      contents.map(file => [file.docPath, file.sha256, file.isInContext, file.draftState]),
    )
    if (key !== held.key)
      held = {
        key,
        value: {
          files: await Promise.all(
            contents.map(async file => ({
              path: file.displayPath,
              version: toVersion(file.sha256),
              isDirty: file.isDirty,
              ...((file.isDrafted || file.draftState) && { isDrafted: true }),
              ...(file.bytes ? { text: readableText(file.bytes) } : await mapOrReason(file, mapOf)),
            })),
          ),
        },
      }
    return held.value
  }
}

async function mapOrReason(
  { displayPath, isText, sizeBytes }: ActiveFileContent,
  mapOf: (path: string) => Promise<string | undefined>,
): Promise<{ text: string; isMap: true } | { notSent: string }> {
  if (isText)
    return { notSent: `${counted(sizeBytes, 'byte')}, over the limit: read the part you need` }
  const map = await mapOf(displayPath)
  if (map === undefined) return { notSent: `${counted(sizeBytes, 'byte')} that are not text` }
  const text = map.length <= MAP_CHARS ? map : `${map.slice(0, MAP_CHARS)}\n… (cut)`
  return { text, isMap: true }
}
