import { toRunner } from '../../../operation-arguments.ts'
import { OPERATIONS } from '../declared/operations.ts'
import type { DocumentEditor } from '../edit/editor.ts'
import { BLOCK_HANDLERS } from './blocks/index.ts'
import { CLEAN_HANDLERS } from './clean/index.ts'
import { COPY_HANDLERS } from './copy/index.ts'
import { FILL_HANDLERS } from './fill/index.ts'
import { LIST_HANDLERS } from './lists/index.ts'
import { MARK_HANDLERS } from './marks/index.ts'
import { NOTE_HANDLERS } from './notes/index.ts'
import { PAGE_HANDLERS } from './pages/index.ts'
import { PICTURE_HANDLERS } from './pictures/index.ts'
import { knownBookmarks } from './references/bookmarks.ts'
import { REFERENCE_HANDLERS } from './references/index.ts'
import { REVISION_HANDLERS } from './revisions/index.ts'
import { TABLE_HANDLERS } from './tables/index.ts'
import { TEXT_HANDLERS } from './text/index.ts'

/** One handler per declared operation; a group is a folder here and a file in `declared/`. */
const HANDLERS = {
  ...TEXT_HANDLERS,
  ...MARK_HANDLERS,
  ...NOTE_HANDLERS,
  ...PAGE_HANDLERS,
  ...REFERENCE_HANDLERS,
  ...LIST_HANDLERS,
  ...TABLE_HANDLERS,
  ...PICTURE_HANDLERS,
  ...REVISION_HANDLERS,
  ...FILL_HANDLERS,
  ...BLOCK_HANDLERS,
  ...COPY_HANDLERS,
  ...CLEAN_HANDLERS,
}

export const runOperation = toRunner<DocumentEditor, typeof OPERATIONS>(OPERATIONS, HANDLERS, {
  style: ({ manuscript: { styles } }) =>
    `the styles are ${styles.names('paragraph').slice(0, 40).join(', ')}`,
  name: ({ manuscript }) => knownBookmarks(manuscript),
})
