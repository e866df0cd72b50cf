import type { DocumentEditor } from '../../edit/editor.ts'
import { isEmptyRun } from '../../edit/text-edit.ts'
import { isHidden } from '../../story/numbered.ts'
import { type CleanedKind, quoted } from './removed.ts'

const TEXTS: ReadonlySet<string> = new Set([
  'w:t',
  'w:tab',
  'w:br',
  'w:cr',
  'w:drawing',
  'w:pict',
  'w:sym',
  'w:noBreakHyphen',
  'w:softHyphen',
])

/** Text that is formatted as hidden. The codes of fields stay: an index is made of them. */
export function removeHidden({ manuscript }: DocumentEditor): CleanedKind {
  const items: string[] = []
  for (const story of manuscript.stories)
    for (const { node } of story.paragraphs)
      for (const run of [...node.all('w:r')])
        if (run.closest('w:p') === node && isHidden(story.tree, manuscript.styles, node, run)) {
          const text = [...run.all('w:t')].map(own => story.tree.textOf(own)).join('')
          const gone = run.children.filter(({ name }) => TEXTS.has(name))
          for (const own of gone) story.tree.remove(own)
          if (isEmptyRun(run)) story.tree.remove(run)
          if (gone.length > 0) items.push(quoted(text))
        }
  return { what: 'hidden text', count: items.length, items }
}
