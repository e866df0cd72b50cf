import { type ReplacedPair, type ReplacedText, replacePairs } from '../../../../replace-pairs.ts'
import { editsFor, replacementFor } from '../../../../runs/replacement.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { linesOf } from '../../edit/lines.ts'
import { byBody, matchesFor, paragraphAt } from '../../edit/matches.ts'
import { settleFit } from '../../edit/settle-fit.ts'
import { editParagraph } from '../../edit/text-edit.ts'

/** Replaces text wherever it stands: on slides, in groups, tables and notes. */
export function replaceText(editor: DeckEditor, args: DeckArgs<'replace_text'>) {
  return replacePairs(editor, args, {
    noun: 'text',
    hint: () =>
      'the match is exact, with case, and crosses no line break; search_files or read_file shows the text as it stands',
    replace: (pair, number) => replacePair(editor, pair, number),
  })
}

type Pair = ReplacedText<DeckArgs<'replace_text'>>

function replacePair(editor: DeckEditor, pair: Pair, number: number): ReplacedPair {
  const { search, regex, replace } = pair
  linesOf(replace, 'replace')
  const found = matchesFor(editor, `matches ${number}`, pair)
  const isPattern = Boolean(regex)
  const places: string[] = []
  let count = 0
  for (const { body, matches } of byBody(editor, found.matches)) {
    const isDone = editor.editBody(body, (tree, node) => {
      const numbers = new Set(matches.map(({ paragraph }) => paragraph))
      for (const own of numbers) {
        const edits = matches
          .filter(({ paragraph }) => paragraph === own)
          .flatMap(match => editsFor(match, replacementFor(match, replace, isPattern)))
        editParagraph(tree, paragraphAt(node, own), edits)
      }
      if (!body.cell && !body.isNotes) settleFit(editor, body.slide, body.shape.key)
      return true
    })
    if (!isDone) continue
    places.push(editor.deck.spotOf(body.ref))
    count += matches.length
  }
  return { search: isPattern ? `/${regex}/` : search!, count, places, found }
}
