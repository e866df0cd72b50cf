import { type ClientHandler, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toFileFields } from '../edited.ts'
import type { getFileInfo } from './tool.ts'

export const getFileInfoClient: ClientHandler<typeof getFileInfo, ClientContext> = async (
  { path },
  { files },
) => {
  const map = await files.map(path)
  if (!map.ok) return map
  const { file, fields, text, warnings } = map.value
  const facts = toFileFields(file)
  return ok({
    fields: { ...facts, ...fields },
    message: `The map of ${file.path}`,
    text: `${file.path} (${file.format}, ${file.sizeBytes} bytes, version ${facts.version}${file.draft === 'none' ? '' : `, ${file.draft} in the draft`})\n${text}`,
    warnings,
  })
}
