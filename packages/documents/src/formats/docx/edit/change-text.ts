import type { TextEdit } from '../../../runs/align-text.ts'
import type { Paragraph } from '../story/story.ts'
import { textMapOf } from '../story/text-map.ts'
import { withBoundData } from './bound-data.ts'
import type { DocumentEditor } from './editor.ts'
import { editText } from './text-edit.ts'
import { trackText } from './tracked-text.ts'

/** Changes words of a paragraph, as one change for review. False where the text stays as it is or a replay leaves it. */
export function changeText(
  editor: DocumentEditor,
  paragraph: Paragraph,
  edits: readonly TextEdit[],
): boolean {
  if (edits.length === 0) return false
  const { story } = paragraph
  const { text } = textMapOf(story.pieces(paragraph))
  return editor.editParagraph(paragraph, spot => {
    // the older form of a text box changes with the newer one where it says the same
    if (spot.node !== paragraph.node && textMapOf(story.pieces(spot)).text !== text) return false
    withBoundData(editor.manuscript.package, story.tree, spot.node, () => {
      if (editor.tracking) trackText(story, spot, edits, editor.tracking)
      else editText(story, spot, edits)
    })
    return true
  })
}
