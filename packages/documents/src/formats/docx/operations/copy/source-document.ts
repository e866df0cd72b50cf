import { Refusal } from '../../../../refusal.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { DocumentPackage } from '../../parts/document-package.ts'
import { Manuscript } from '../../story/manuscript.ts'

/** The other document that an operation names, as the log pins it. */
export function sourceDocument(editor: DocumentEditor, path: string): Manuscript {
  const bytes = editor.input(path)
  if (!bytes) throw invalid(`${editor.op} needs from: the path of another document`)
  const opened = DocumentPackage.open(bytes)
  if (!opened.ok)
    throw new Refusal(
      'UNREADABLE_FORMAT',
      `"${path}" is no document to copy from: ${opened.failure.message}`,
    )
  return new Manuscript(opened.value)
}
