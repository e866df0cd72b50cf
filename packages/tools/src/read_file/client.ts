import {
  type ClientHandler,
  type Failure,
  type Fields,
  isFields,
  offerOf,
  ok,
} from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toFileFields } from '../edited.ts'
import type { readFile } from './tool.ts'

export const readFileClient: ClientHandler<typeof readFile, ClientContext> = async (
  input,
  { files },
) => {
  const { path, styles, ...region } = input
  const reading = await files.read(path, region, { styles })
  if (!reading.ok) return { ok: false, failure: withCorrected(reading.failure, input) }
  const { file, fields, text, shown, total, next, warnings, images } = reading.value
  return ok({
    fields: {
      ...toFileFields(file),
      ...fields,
      shown,
      total,
      next: next ?? null,
      ...(images.length > 0 && { pictures: [...images] }),
    },
    message: `Read ${shown} of ${total} of ${file.path}`,
    text,
    warnings,
    images,
  })
}

/** The document may know which region was meant. */
function withCorrected<Refused extends Failure>(failure: Refused, input: Fields): Refused {
  const { meant, ...details } = failure.details ?? {}
  if (!isFields(meant)) return failure
  const corrected = { ...input, ...meant }
  const message = `${failure.message}${offerOf(corrected)}`
  return { ...failure, message, details: { ...details, corrected } }
}
