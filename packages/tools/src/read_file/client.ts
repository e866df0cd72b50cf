import { type ClientHandler, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toFileFields } from '../edited.ts'
import type { readFile } from './tool.ts'

export const readFileClient: ClientHandler<typeof readFile, ClientContext> = async (
  { path, styles, ...region },
  { files },
) => {
  const reading = await files.read(path, region, { styles })
  if (!reading.ok) return reading
  const { file, fields, text, shown, total, next, warnings } = reading.value
  return ok({
    fields: { ...toFileFields(file), ...fields, shown, total, next: next ?? null },
    message: `Read ${shown} of ${total} of ${file.path}`,
    text,
    warnings,
  })
}
