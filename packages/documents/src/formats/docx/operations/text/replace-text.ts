import type { Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { type ReplacedPair, replacePairs } from '../../../../replace-pairs.ts'
import {
  editsFor,
  queryOf,
  replacementFor,
  type TextArguments,
} from '../../../../runs/replacement.ts'
import { textField } from '../../edit/arguments.ts'
import { changeText } from '../../edit/change-text.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { warnOfReach } from '../../edit/reach.ts'
import { byParagraph, matchesFor } from '../../edit/text-matches.ts'

/** Replaces text wherever it stands: in the body, tables, headers, footers, notes and text boxes. */
export function replaceText(editor: DocumentEditor, operation: Fields): OperationResult {
  const isWide = operation.place === undefined && operation.nth === undefined
  return replacePairs(editor, operation, {
    noun: 'paragraph',
    hint,
    replace: (pair, number) => replacePair(editor, pair, number),
    done: pairs => {
      if (editor.isReplay || !isWide) return
      const words = pairs.map(({ search }) => search).filter(own => typeof own === 'string')
      warnOfReach(editor, words)
    },
  })
}

function hint(pairs: readonly Fields[]): string {
  return pairs.some(({ search }) => typeof search === 'string' && /[\t\n]/.test(search))
    ? 'a match does not cross tabs, line breaks or paragraphs; search for the text between them'
    : 'the match is exact, with case; search_files or read_file shows the text as it stands'
}

function replacePair(editor: DocumentEditor, pair: Fields, number: number): ReplacedPair {
  const query = queryOf({ ...pair, search: pair.search ?? pair.find } as TextArguments)
  const replace = textField(pair, 'replace', 'the new text')
  refuseUnwritable(replace)
  const found = matchesFor(
    editor,
    `matches ${number}`,
    query,
    pair.place,
    (pair as TextArguments).nth,
  )
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
