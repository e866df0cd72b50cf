import { LINE_TEXT } from '@filewright/documents'
import { type ClientHandler, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import type { editTextFile } from './tool.ts'

export const editTextFileClient: ClientHandler<typeof editTextFile, ClientContext> = async (
  { path, edits },
  { draft },
) => {
  const edited = await draft.edit(path, LINE_TEXT, [{ op: 'edit_text', edits }], {})
  return edited.ok ? ok(toEditedAnswer(edited.value, { listsChanges: true })) : edited
}
