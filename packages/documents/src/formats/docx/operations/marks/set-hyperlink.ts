import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { runsOf } from '../../edit/format-text.ts'
import { ensureProperties, setProperty } from '../../edit/properties.ts'
import { byParagraph, type MatchRef } from '../../edit/text-matches.ts'
import { targetsOf } from '../../edit/text-targets.ts'
import type { ParagraphSpot } from '../../story/index-story.ts'
import type { Story } from '../../story/story.ts'

/** Makes the matched text a link; text that is in one keeps it, with a new target. */
export function setHyperlink(editor: DocumentEditor, args: DocumentArgs<'set_hyperlink'>) {
  const { url } = args
  if (/^\s*(javascript|vbscript|data):/i.test(url))
    throw invalid(`${JSON.stringify(url)} is no address for a link`)
  editor.untracked('the target of a link')
  let count = 0
  for (const { paragraph, matches } of byParagraph(editor, targetsOf(editor, args))) {
    const done = editor.editParagraph(
      paragraph,
      spot => {
        for (const range of [...matches].reverse())
          linkRange(editor, paragraph.story, spot, range, url)
        return true
      },
      { reads: [`links of ${paragraph.story.name}`] },
    )
    if (done) count += matches.length
  }
  return { op: 'set_hyperlink', message: `Linked ${counted(count, 'place')} to ${url}.`, count }
}

function linkRange(
  editor: DocumentEditor,
  story: Story,
  spot: ParagraphSpot,
  range: MatchRef,
  url: string,
): void {
  const { tree } = story
  const runs = runsOf(story, spot, range)
  const [first] = runs
  if (!first) return
  const known = first.closest('w:hyperlink')
  const link = known ?? wrap(story, runs)
  if (url.startsWith('#')) {
    tree.setAttribute(link, 'r:id', undefined)
    tree.setAttribute(link, 'w:anchor', url.slice(1))
  } else {
    tree.setAttribute(link, 'w:anchor', undefined)
    tree.setAttribute(
      link,
      'r:id',
      editor.manuscript.package.addLink(story.part, 'hyperlink', url, true),
    )
  }
  if (known || !editor.manuscript.styles.byId.has('Hyperlink')) return
  for (const run of runs)
    setProperty(tree, ensureProperties(tree, run), '<w:rStyle w:val="Hyperlink"/>')
}

/** Puts everything from the first run to the last into a link. */
function wrap({ tree }: Story, runs: readonly LiveNode[]): LiveNode {
  const first = runs[0]!
  const last = runs.at(-1)!
  if (runs.some(run => run.parent !== first.parent))
    throw new Refusal(
      'CONFLICT',
      'the text is partly in a tracked change or a content control, and a link cannot cross its border',
    )
  const between = first.parent!.children.slice(first.index, last.index + 1)
  const [link] = tree.fragment('<w:hyperlink/>')
  tree.before(first, [link!])
  for (const node of between) tree.remove(node)
  tree.append(link!, between)
  return link!
}
