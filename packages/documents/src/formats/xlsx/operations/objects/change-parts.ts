import { Refusal } from '../../../../refusal.ts'
import type { Book } from '../../book/book.ts'
import { LiveBook } from '../../objects/live-book.ts'
import { Mapping } from '../../places/mapping.ts'
import type { Editor } from '../editor.ts'
import { settle } from '../rows/settle.ts'

/** The book with every edit so far in its parts. */
export function settledBook(editor: Editor): Book {
  if (hasEdits(editor.book)) settle(editor)
  return editor.book
}

/** Edits the parts of objects; the book goes on from the parts as they are then. It is settled. */
export function changeParts<Made>(editor: Editor, make: (live: LiveBook) => Made): Made {
  const { book } = editor
  const live = new LiveBook(book)
  const made = make(live)
  const part = live.finish()
  if (!part.ok) throw new Refusal('UNREADABLE_FORMAT', part.failure.message)
  editor.settle(part.value, book.unsettled, Mapping.identity)
  return made
}

/** Something that the package lacks. */
function hasEdits(book: Book): boolean {
  return (
    book.rewrites.length > 0 ||
    book.isRearranged ||
    book.definedNames !== book.part.definedNames ||
    book.part.styles().isGrown ||
    book.sheets.some(
      (sheet, index) =>
        sheet.isTouched ||
        sheet.name !== book.part.sheets[index]?.name ||
        sheet.visibility !== book.part.sheets[index]?.visibility,
    )
  )
}
