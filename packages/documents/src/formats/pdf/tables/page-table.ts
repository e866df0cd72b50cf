import type { PageBox } from '../page/geometry.ts'
import type { Word } from '../page/words.ts'

/** A table on one page; each row has as many cells as there are columns. */
export interface PageTable {
  readonly box: PageBox
  readonly rows: readonly (readonly string[])[]
  /** Where its columns begin and end, to find the same table on the next page. */
  readonly columns: readonly number[]
  readonly ends: readonly number[]
  /** Its words: the text around it is read without them. */
  readonly words: ReadonlySet<Word>
}
