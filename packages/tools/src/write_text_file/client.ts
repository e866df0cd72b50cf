import { LINE_TEXT } from '@filewright/documents'
import { type ClientHandler, fail, LIMITS, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import type { writeTextFile } from './tool.ts'

export const writeTextFileClient: ClientHandler<typeof writeTextFile, ClientContext> = async (
  { path, content, eol },
  { draft },
) => {
  if (content.length > LIMITS.textFileBytes)
    return fail(
      'TOO_LARGE',
      `Nothing was written: the content has ${content.length} characters and a text file may have ${LIMITS.textFileBytes} bytes. Split it into several files.`,
    )
  const operation = { op: 'write_text', content, ...(eol && { eol }) }
  const edited = await draft.edit(path, LINE_TEXT, [operation], { createIfMissing: true })
  return edited.ok ? ok(toEditedAnswer(edited.value, { listsChanges: true })) : edited
}
