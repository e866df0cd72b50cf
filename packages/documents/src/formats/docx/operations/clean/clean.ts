import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { reachOf } from '../../edit/reach.ts'
import { acceptAll } from './accept-all.ts'
import { removeAuthors } from './authors.ts'
import { removeComments } from './comments.ts'
import { removeHidden } from './hidden-text.ts'
import { removeProperties } from './properties.ts'
import type { CleanedKind } from './removed.ts'

type Cleaner = (editor: DocumentEditor) => CleanedKind

/** In this order: names go once comments and tracked changes are gone. */
const CLEANERS: Readonly<Record<string, Cleaner>> = {
  comments: removeComments,
  revisions: acceptAll,
  hidden_text: removeHidden,
  authors: removeAuthors,
  metadata: removeProperties,
}

/** Takes out of the document what a recipient should not get, and lists it. Each kind is a change of its own. */
export function clean(editor: DocumentEditor, { remove }: DocumentArgs<'clean'>) {
  const kinds = Object.keys(CLEANERS).filter(kind => isWanted(kind, remove))
  editor.seesBothForms()
  editor.untracked('removing comments, hidden text and names')
  const done = kinds.flatMap(kind => runCleaner(editor, kind, CLEANERS[kind]!) ?? [])
  if (done.length === 0 && !editor.isReplay)
    throw new Refusal(
      'NO_SUCH_REGION',
      `there is nothing to remove: the document has no ${kinds.join(', ')}`,
    )
  const names = [...new Set(done.flatMap(each => each.names ?? []))].filter(name => name.length > 2)
  if (!editor.isReplay) warnOfNames(editor, names)
  return {
    op: 'clean',
    message: `Removed ${done.map(({ what, count }) => `${what} (${count})`).join(', ') || 'nothing'}.`,
    removed: done.map(({ what, count, items }) => ({ what, count, items: items.slice(0, 50) })),
  }
}

function isWanted(kind: string, remove: readonly string[] | undefined): boolean {
  return remove?.includes(kind) ?? true
}

function runCleaner(
  editor: DocumentEditor,
  kind: string,
  cleaner: Cleaner,
): CleanedKind | undefined {
  let removed: CleanedKind | undefined
  const place = kind.replace('_', ' ')
  const keys = [`clean ${kind}`, ...editor.manuscript.stories.map(({ name }) => name)]
  const done = editor.change(
    {
      kind: 'structure',
      place,
      keys,
      reads: editor.manuscript.stories.flatMap(story => story.paragraphs.map(({ id }) => id)),
      before: null,
      after: () => ({
        text: `${removed!.what}: ${removed!.items.slice(0, 20).join('; ')}`.slice(0, 500),
      }),
      description: 'removed before sending',
    },
    () => {
      removed = cleaner(editor)
      return removed.count > 0
    },
  )
  return done ? removed : undefined
}

function warnOfNames(editor: DocumentEditor, names: readonly string[]): void {
  const found = reachOf(editor.manuscript, names)
  if (found.length === 0) return
  editor.warn(
    `names of people who worked on it (${names.slice(0, 5).join(', ')}) still stand in ${found.map(({ where, count }) => `${where} (${count})`).join(', ')}.`,
  )
}
