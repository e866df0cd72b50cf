import { type ReplacedPair, type ReplacedText, replacePairs } from '../../../../replace-pairs.ts'
import { editsFor, queryOf, replacementFor } from '../../../../runs/replacement.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { changeText } from '../../edit/change-text.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { warnOfReach } from '../../edit/reach.ts'
import { byParagraph, matchesFor } from '../../edit/text-matches.ts'

/** Replaces text wherever it stands: in the body, tables, headers, footers, notes and text boxes. */
export function replaceText(editor: DocumentEditor, args: DocumentArgs<'replace_text'>) {
  const isWide = args.place === undefined && args.nth === undefined
  return replacePairs(editor, args, {
    noun: 'paragraph',
    hint,
    replace: (pair, number) => replacePair(editor, pair, number),
    done: pairs => {
      if (editor.isReplay || !isWide) return
      warnOfReach(
        editor,
        pairs.flatMap(({ search }) => search ?? []),
      )
    },
  })
}

type Pair = ReplacedText<DocumentArgs<'replace_text'>>

function hint(pairs: readonly Pair[]): string {
  return pairs.some(({ search = '' }) => /[\t\n]/.test(search))
    ? 'a match does not cross tabs, line breaks or paragraphs; search for the text between them'
    : 'the match is exact, with case; search_files or read_file shows the text as it stands'
}

function replacePair(editor: DocumentEditor, pair: Pair, number: number): ReplacedPair {
  const query = queryOf(pair)
  const { replace } = pair
  refuseUnwritable(replace)
  const found = matchesFor(editor, `matches ${number}`, query, pair.place, pair.nth)
  const places: string[] = []
  let count = 0
  for (const { paragraph, matches } of byParagraph(editor, found.matches)) {
    const edits = matches.flatMap(match =>
      editsFor(match, replacementFor(match, replace, query.regex !== undefined)),
    )
    if (!changeText(editor, paragraph, edits)) continue
    places.push(paragraph.id)
    count += matches.length
  }
  const search = query.search ?? `/${query.regex}/`
  return { search, count, places, found }
}
