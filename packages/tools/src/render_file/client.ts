import { type ClientHandler, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toFileFields } from '../edited.ts'
import type { renderFile } from './tool.ts'

export const renderFileClient: ClientHandler<typeof renderFile, ClientContext> = async (
  { path, ...region },
  { files, progress },
) => {
  progress(`Drawing ${path}`)
  const drawn = await files.draw(path, region)
  if (!drawn.ok) return drawn
  const { file, part, fields, text, shown, total, next, warnings, images } = drawn.value
  const what = part === undefined ? shown : `${part}, ${shown}`
  return ok({
    fields: {
      ...toFileFields(file),
      ...fields,
      ...(part !== undefined && { part }),
      shown,
      total,
      next: next ?? null,
      pictures: [...images],
    },
    message: `Drew ${what} of ${total} of ${file.path}`,
    text: part === undefined ? text : `${part}\n${text}`,
    warnings,
    images,
  })
}
