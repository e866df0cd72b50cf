import type { LiveNode } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { fieldXml } from '../../edit/field-xml.ts'
import { endsOf } from '../../edit/format-text.ts'
import { lookAt } from '../../edit/text-edit.ts'
import { targetOf } from '../../edit/text-targets.ts'
import { putAfter } from '../../edit/tracked-text.ts'
import { paragraphById, placeOf } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'
import { findReferred, type Referred } from './find-referred.ts'

/** A field behind the matched text that shows the number, the text or the page of something else in the document. */
export function insertCrossReference(
  editor: DocumentEditor,
  args: DocumentArgs<'insert_cross_reference'>,
) {
  const { manuscript } = editor
  const referred = editor.resolve('referred', () => findReferred(manuscript, args.target))
  const { show = usualShow(referred) } = args
  const target = targetOf(editor, args)
  const paragraph = paragraphById(manuscript, target.id)
  const hidden = `_Ref${hiddenNumber(editor)}`
  const shown = { number: referred.label, text: referred.text, page: '1' }[show]
  if (shown === '') throw invalid(`${referred.id} has no ${show} to refer to; use another show`)
  const keys = [paragraph.id, ...(referred.bookmark === undefined ? [referred.id] : [])]
  editor.change(
    {
      kind: 'structure',
      place: `reference in ${placeOf(paragraph.id)} to ${placeOf(referred.id)}`,
      keys,
      reads: [referred.id],
      before: null,
      after: () => ({ text: shown }),
      description: `behind ${JSON.stringify(target.text.slice(-60))}`,
    },
    () => {
      const { story } = paragraph
      const last = endsOf(story, paragraph, target)?.last
      if (!last) throw invalid(`${target.id} has no text to put a reference behind`)
      const name = referred.bookmark ?? mark(editor, referred, hidden)
      if (show === 'text' && isMarked(story, paragraph.node, last, name))
        throw invalid(
          `a reference to the text of ${referred.id} cannot stand in that text; name another place, or show: "page"`,
        )
      const look = lookAt(
        story.tree,
        paragraph.node,
        textMapOf(story.pieces(paragraph)),
        target.end,
      )
      const code = `${show === 'page' ? 'PAGEREF' : 'REF'} ${name}${show === 'number' ? ' \\r' : ''} \\h`
      put(editor, story, last, {
        look,
        field: fieldXml(code, shown, show === 'page'),
        isApart: /[\s([]$/.test(target.text),
      })
      return true
    },
  )
  return {
    op: 'insert_cross_reference',
    message: `Refers to ${referred.id} as ${JSON.stringify(shown.slice(0, 60))} behind the text in ${target.id}.`,
    shows: show === 'page' ? 'the page, which Word works out' : shown,
  }
}

function usualShow({ label, isHeading }: Referred): 'number' | 'text' {
  return label !== '' && !isHeading ? 'number' : 'text'
}

/** Nine digits, the same in every replay. */
function hiddenNumber(editor: DocumentEditor): number {
  return 100_000_000 + (Number.parseInt(editor.newId().slice(1), 36) % 900_000_000)
}

/** A hidden bookmark, as Word makes one for a reference; one that is there is used again. */
function mark({ manuscript }: DocumentEditor, { id, length }: Referred, name: string): string {
  const paragraph = paragraphById(manuscript, id)
  const { story, node } = paragraph
  const known = [...node.all('w:bookmarkStart')].flatMap(
    own => story.tree.attribute(own, 'w:name') ?? [],
  )
  const used = length === undefined ? known.find(own => own.startsWith('_Ref')) : undefined
  if (used !== undefined) return used
  const number = manuscript.freeRevisionId()
  const [start] = story.tree.fragment(`<w:bookmarkStart w:id="${number}"/>`)
  story.tree.setAttribute(start!, 'w:name', name)
  const first = node.children.findIndex(own => own.name !== '' && own.name !== 'w:pPr')
  story.tree.insert(node, first < 0 ? node.children.length : first, [start!])
  const end = story.tree.fragment(`<w:bookmarkEnd w:id="${number}"/>`)
  const last =
    length === undefined ? undefined : endsOf(story, paragraph, { start: 0, end: length })?.last
  if (last) story.tree.after(last, end)
  else story.tree.append(node, end)
  return name
}

/** Whether a run of the paragraph stands between the marks of a bookmark. */
function isMarked({ tree }: Story, paragraph: LiveNode, run: LiveNode, name: string): boolean {
  const marks = ['w:bookmarkStart', 'w:bookmarkEnd', run.name]
  const order = [...paragraph.inOrder()].filter(own => marks.includes(own.name))
  const start = order.findIndex(own => tree.attribute(own, 'w:name') === name)
  if (start < 0) return false
  const id = tree.attribute(order[start], 'w:id')
  const end = order.findIndex(
    own => own.name === 'w:bookmarkEnd' && tree.attribute(own, 'w:id') === id,
  )
  const at = order.indexOf(run)
  return at > start && (end < 0 || at < end)
}

interface NewReference {
  readonly field: string
  readonly look: LiveNode | undefined
  readonly isApart: boolean
}

/** With a space where none is. */
function put(
  { tracking }: DocumentEditor,
  { tree }: Story,
  run: LiveNode,
  { field, look, isApart }: NewReference,
): void {
  const space = isApart ? '' : '<w:r><w:t xml:space="preserve"> </w:t></w:r>'
  let at = run.closest('w:hyperlink') ?? run
  for (const made of tree.fragment(`${space}${field}`)) {
    if (look) tree.insert(made, 0, [tree.clone(look)])
    if (tracking) putAfter(tree, at, made, tracking)
    else tree.after(at, [made])
    at = made
  }
}
