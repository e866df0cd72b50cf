import type { Fields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import { textField } from '../../edit/arguments.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { DocumentPackage } from '../../parts/document-package.ts'
import { Manuscript } from '../../story/manuscript.ts'

/** The other document that an operation names, as the log pins it. */
export function sourceDocument(editor: DocumentEditor, operation: Fields): Manuscript {
  const path = textField(operation, 'from', 'other.docx')
  const bytes = editor.input(path)
  if (!bytes) throw invalid(`${operation.op} needs from: the path of another document`)
  const opened = DocumentPackage.open(bytes)
  if (!opened.ok)
    throw new Refusal(
      'UNREADABLE_FORMAT',
      `"${path}" is no document to copy from: ${opened.failure.message}`,
    )
  return new Manuscript(opened.value)
}
