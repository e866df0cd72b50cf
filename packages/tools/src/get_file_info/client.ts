import { type ClientHandler, counted, ok } from '@filewright/protocol'
import type { ClientContext, FileFacts } from '../client-context.ts'
import { toFileFields, versionOf } from '../edited.ts'
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
    text: `${file.path} (${describe(file)})\n${text}`,
    warnings,
  })
}

function describe(file: FileFacts): string {
  const size = file.sizeBytes === null ? [] : [counted(file.sizeBytes, 'byte')]
  const version = versionOf(file)
  const draft = file.draft === 'none' ? [] : [`${file.draft} in the draft`]
  return [file.format, ...size, ...(version ? [`version ${version}`] : []), ...draft].join(', ')
}
