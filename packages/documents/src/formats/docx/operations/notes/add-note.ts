import type { OperationResult } from '../../../../format.ts'
import { encodeAttribute, type LiveNode, uriOfPrefix } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { endsOf } from '../../edit/format-text.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { textXml } from '../../edit/text-edit.ts'
import { targetOf } from '../../edit/text-targets.ts'
import { putAfter } from '../../edit/tracked-text.ts'
import { paragraphById, placeOf } from '../../story/places.ts'
import { highestOf } from '../../story/revision-ids.ts'
import type { Story } from '../../story/story.ts'
import { orderNote } from './note-order.ts'

export type NoteKind = 'footnote' | 'endnote'

export function addFootnote(editor: DocumentEditor, args: DocumentArgs<'add_footnote'>) {
  return addNote(editor, args, 'footnote')
}

export function addEndnote(editor: DocumentEditor, args: DocumentArgs<'add_endnote'>) {
  return addNote(editor, args, 'endnote')
}

/** The mark goes behind the matched text; the note looks like the document's own notes. */
function addNote(
  editor: DocumentEditor,
  args: DocumentArgs<'add_footnote'>,
  kind: NoteKind,
): OperationResult {
  const { text } = args
  refuseUnwritable(text)
  const target = targetOf(editor, args)
  const paragraph = paragraphById(editor.manuscript, target.id)
  const { story } = paragraph
  if (story.name !== 'body' || paragraph.box)
    throw invalid(`${target.id} is not in the running text of the body, where notes belong`)
  const keys = [paragraph.id] // and the paragraphs of the note
  let number = 0
  editor.change(
    {
      kind: 'structure',
      place: `${kind} in ${placeOf(paragraph.id)}`,
      keys,
      before: null,
      after: () => ({ text }),
      description: `behind ${JSON.stringify(target.text.slice(-60))}`,
    },
    () => {
      const notes = notesOf(editor, kind)
      const id = nextNoteId(notes)
      const last = endsOf(story, paragraph, target)?.last
      if (!last) throw invalid(`${target.id} has no text for a note`)
      const [mark] = story.tree.fragment(
        `<w:r>${markLook(editor, kind)}<w:${kind}Reference w:id="${id}"/></w:r>`,
      )
      putMark(editor, story, last, mark!)
      keys.push(...write(editor, notes, { kind, id, text }))
      const reference = mark!.child(`w:${kind}Reference`)!
      orderNote(notes, story, reference)
      number = story.index.noteNumbers.get(reference) ?? 0
      return true
    },
  )
  return {
    op: editor.op,
    message: `Added ${kind} ${number}.`,
    note: `${kind} ${number}`,
  }
}

/** Behind a link, not in it. */
function putMark(
  { tracking }: DocumentEditor,
  { tree }: Story,
  run: LiveNode,
  mark: LiveNode,
): void {
  const link = run.closest('w:hyperlink')
  if (tracking && !link) return putAfter(tree, run, mark, tracking)
  if (!tracking) return tree.after(link ?? run, [mark])
  const [wrapper] = tree.fragment(`<w:ins ${tracking.attributes()}/>`)
  tree.append(wrapper!, [mark])
  tree.after(link!, [wrapper!])
}

/** The story of the notes, made first if there is none. */
export function notesOf({ manuscript }: DocumentEditor, kind: NoteKind): Story {
  const known = manuscript.story(`${kind}s`)
  if (known) return known
  const own = manuscript.package
  const separator = (id: number, type: string) =>
    `<w:${kind} w:type="${type}" w:id="${id}"><w:p><w:r><w:${type}/></w:r></w:p></w:${kind}>`
  const uri = uriOfPrefix('w', own.main.isStrict)
  own.addPart(
    `word/${kind}s.xml`,
    `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}s+xml`,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:${kind}s xmlns:w="${uri}">${separator(-1, 'separator')}${separator(0, 'continuationSeparator')}</w:${kind}s>`,
  )
  own.addLink(own.mainName, `${kind}s`, `word/${kind}s.xml`)
  return manuscript.story(`${kind}s`)!
}

export function nextNoteId({ tree, root }: Story): number {
  return Math.max(0, highestOf(tree, root)) + 1
}

/** The document's style of marks, or raised figures. */
function markLook({ manuscript }: DocumentEditor, kind: NoteKind): string {
  const style = manuscript.styles.find(`${kind} reference`, 'character')
  return style
    ? `<w:rPr><w:rStyle w:val="${encodeAttribute(style.id)}"/></w:rPr>`
    : '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
}

function write(
  editor: DocumentEditor,
  notes: Story,
  { kind, id, text }: { readonly kind: NoteKind; readonly id: number; readonly text: string },
): readonly string[] {
  const { tree, root } = notes
  const style = editor.manuscript.styles.find(`${kind} text`, 'paragraph')
  const properties = style ? `<w:pPr><w:pStyle w:val="${encodeAttribute(style.id)}"/></w:pPr>` : ''
  const mark = `<w:r>${markLook(editor, kind)}<w:${kind}Ref/></w:r>`
  const lines = text.split(/\r?\n/).map((line, index) => {
    const start = index === 0 ? mark : ''
    return `<w:p>${properties}${start}<w:r>${textXml(index === 0 ? ` ${line}` : line)}</w:r></w:p>`
  })
  const [node] = tree.fragment(`<w:${kind} w:id="${id}">${lines.join('')}</w:${kind}>`)
  editor.adopt(notes, node!)
  tree.append(root, [node!])
  return [...node!.all('w:p')].map(own => notes.idOf(own)!)
}
