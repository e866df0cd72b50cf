import { counted } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import { alignText, type TextEdit } from '../../../../runs/align-text.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { withBoundData } from '../../edit/bound-data.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { runsOf } from '../../edit/format-text.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { ensureProperties, removeProperty, setProperty } from '../../edit/properties.ts'
import { editText } from '../../edit/text-edit.ts'
import { computedBy } from '../../edit/text-matches.ts'
import { trackProperties } from '../../edit/tracked-paragraph.ts'
import { trackText } from '../../edit/tracked-text.ts'
import type { Tracking } from '../../edit/tracking.ts'
import { type FormPiece, formPiecesOf, type Looks, linkTarget } from '../../story/form.ts'
import type { ParagraphSpot } from '../../story/index-story.ts'
import { type ParsedForm, parseForm } from '../../story/parse-form.ts'
import { type PlaceArgument, paragraphAt, paragraphById } from '../../story/places.ts'
import type { Paragraph, Story } from '../../story/story.ts'

export function setParagraph(
  editor: DocumentEditor,
  { place, text }: DocumentArgs<'set_paragraph'>,
) {
  const paragraph = paragraphById(editor.manuscript, idFor(editor, place, 'place'))
  const done = setForm(editor, paragraph, text)
  return {
    op: 'set_paragraph',
    message: done ? `Set ${paragraph.id}.` : `${paragraph.id} is already so; nothing was changed.`,
    paragraph: paragraph.id,
  }
}

export function setParagraphs(
  editor: DocumentEditor,
  { paragraphs }: DocumentArgs<'set_paragraphs'>,
) {
  const ids = paragraphs.flatMap((each, number) => {
    const id = idFor(editor, each.place, `place ${number}`)
    const paragraph = editor.paragraphToEdit(id)
    if (!paragraph) return []
    return setForm(editor, paragraph, each.text) ? [paragraph.id] : []
  })
  return {
    op: 'set_paragraphs',
    message: `Set ${counted(ids.length, 'paragraph')}.`,
    paragraphs: ids,
  }
}

function idFor(editor: DocumentEditor, place: PlaceArgument, key: string): string {
  return editor.resolve(key, () => paragraphAt(editor.manuscript, place).id)
}

/** The new text takes the looks of the old by alignment; marks that differ are set. */
function setForm(editor: DocumentEditor, paragraph: Paragraph, form: string): boolean {
  const parsed = parseForm(form)
  refuseUnwritable(parsed.text)
  const { story } = paragraph
  const before = formPiecesOf(story, paragraph)
  refuseLostTokens(paragraph, before.shown, parsed)
  refuseComputed(paragraph, before.shown)
  checkLinks(editor, paragraph, before.shown, parsed)
  const plan = planOf(before.shown, parsed)
  const isSame = plan.edits.length === 0 && !hasNewLooks(before.shown, parsed)
  if (isSame) return false
  const shownText = textOf(before.shown)
  return editor.editParagraph(paragraph, spot => {
    if (spot.node !== paragraph.node && textOf(formPiecesOf(story, spot).shown) !== shownText)
      return false
    withBoundData(editor.manuscript.package, story.tree, spot.node, () => {
      if (editor.tracking) trackText(story, spot, plan.edits, editor.tracking)
      else editText(story, spot, plan.edits)
    })
    setLooks(story, spot, parsed, editor.tracking)
    return true
  })
}

function textOf(shown: readonly FormPiece[]): string {
  return shown.map(({ text }) => text).join('')
}

/** Notes, pictures and fields have no other form here, so what is left out would be lost. */
function refuseLostTokens(
  { id }: Paragraph,
  shown: readonly FormPiece[],
  { labels }: ParsedForm,
): void {
  const own = shown.flatMap(({ label }) => label ?? [])
  const lost = own.filter(label => !labels.includes(label))
  const strange = labels.filter(label => !own.includes(label))
  if (lost.some(label => label.startsWith('prompt ')))
    throw invalid(
      `${id} holds the prompt of an empty content control, which is no text; use fill_placeholders with {${JSON.stringify(id)}: "the text"}`,
    )
  if (lost.length > 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `the new text of ${id} would lose ${lost.map(label => `⟦${label}⟧`).join(', ')}; keep ${lost.length === 1 ? 'it' : 'them'} in the text where ${lost.length === 1 ? 'it belongs' : 'they belong'}, or use replace_text`,
    )
  if (strange.length > 0)
    throw invalid(
      `${id} holds no ⟦${strange[0]}⟧, and text cannot make one; leave it out or use the operation that inserts it`,
    )
  if (own.join('\n') !== labels.join('\n'))
    throw invalid(
      `the tokens of ${id} must stay in their order: ${own.map(label => `⟦${label}⟧`).join(', ')}`,
    )
}

function refuseComputed({ id, openFields }: Paragraph, shown: readonly FormPiece[]): void {
  const open = openFields.find(({ isResult }) => isResult)
  const border = open && shown.find(({ piece }) => piece.border?.node === open.begin)?.piece.border
  if (border?.kind === 'field')
    throw new Refusal('CONFLICT', `${id} cannot be set: ${computedBy(border)}`)
}

/** Text makes no link and gives none a new target; one that the text leaves out stays on its words. */
function checkLinks(
  editor: DocumentEditor,
  { story, id }: Paragraph,
  shown: readonly FormPiece[],
  { links, text }: ParsedForm,
): void {
  const own = new Set<string>()
  for (const { link } of shown)
    if (link) own.add(linkTarget(editor.manuscript.package, story, link))
  const strange = links.find(({ target }) => !own.has(target))
  if (strange)
    throw invalid(
      `${id} has no link to ${JSON.stringify(strange.target)}, and text cannot make one; set ${JSON.stringify(text.slice(strange.start, strange.end))} as plain text, then use set_hyperlink`,
    )
  const left = [...own].filter(target => links.every(link => link.target !== target))
  if (left.length > 0 && !editor.isReplay)
    editor.warn(
      `The new text of ${id} names no link to ${left.map(target => JSON.stringify(target)).join(', ')}; words that stay keep their link.`,
    )
}

/** The edits in characters of the paragraph's text. */
function planOf(
  shown: readonly FormPiece[],
  parsed: ParsedForm,
): { readonly edits: readonly TextEdit[] } {
  const starts: number[] = []
  const labels: string[] = []
  let end = 0
  for (const own of shown) {
    for (let at = 0; at < own.text.length; at++) {
      starts.push(own.start + at)
      labels.push(own.label ?? '')
    }
    end = own.end
  }
  const endOf = (at: number) => (at < starts.length ? starts[at]! : end)
  const edits = alignText(textOf(shown), parsed.text, {
    before: at => labels[at] ?? '',
    after: at => labelAt(parsed, at),
  })
  let moved = 0
  return {
    edits: edits.map(({ start, end, text }) => {
      const from = start + moved
      moved += text.length - (end - start)
      return {
        start: endOf(start),
        end: end === start ? endOf(start) : endOf(end - 1) + 1,
        text,
        ...(parsed.links.length > 0 && { isApart: !isInLink(parsed, from, from + text.length) }),
      }
    }),
  }
}

function isInLink({ links }: ParsedForm, start: number, end: number): boolean {
  return links.some(own => own.start <= start && end <= own.end)
}

function labelAt({ text, labels }: ParsedForm, at: number): string {
  if (text[at] !== '\ufffc') return ''
  return labels[text.slice(0, at).split('\ufffc').length - 1] ?? ''
}

function hasNewLooks(shown: readonly FormPiece[], parsed: ParsedForm): boolean {
  let at = 0
  for (const own of shown)
    for (let char = 0; char < own.text.length; char++, at++)
      if (
        own.label === undefined &&
        own.text[char]!.trim() !== '' &&
        !isSame(own, parsed.looks[at])
      )
        return true
  return false
}

const MARKS = { bold: 'w:b', italic: 'w:i', strike: 'w:strike' } as const

/** Sets bold, italic and strike where the marks of the form ask for something else than the text has. */
function setLooks(
  story: Story,
  spot: ParagraphSpot,
  parsed: ParsedForm,
  tracking: Tracking | undefined,
): void {
  const { tree } = story
  const { map, shown } = formPiecesOf(story, spot)
  const wanted: { start: number; end: number; looks: Looks }[] = []
  let at = 0
  for (const own of shown)
    for (let char = 0; char < own.text.length; char++, at++) {
      const looks = parsed.looks[at]
      const isLook = own.label === undefined && own.text[char]!.trim() !== ''
      if (!isLook || !looks || isSame(own, looks)) continue
      const start = own.start + char
      const last = wanted.at(-1)
      // spaces between the words go along
      const isBeside = last && map.text.slice(last.end, start).trim() === ''
      if (isBeside && isSame(last.looks, looks)) last.end = start + 1
      else wanted.push({ start, end: start + 1, looks })
    }
  for (const { start, end, looks } of wanted.reverse())
    for (const run of runsOf(story, spot, { start, end })) {
      if (tracking) trackProperties(tree, run, tracking)
      const properties = ensureProperties(tree, run)
      for (const [key, name] of Object.entries(MARKS)) {
        if (looks[key as keyof Looks]) setProperty(tree, properties, `<${name}/>`)
        else for (const own of [name, `${name}Cs`]) removeProperty(tree, properties, own)
      }
      if (properties.children.length === 0) tree.remove(properties)
    }
}

function isSame(a: Looks, b: Looks | undefined): boolean {
  return a.bold === b?.bold && a.italic === b.italic && a.strike === b.strike
}
