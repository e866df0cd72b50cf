import { counted } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { withBoundData } from '../../edit/bound-data.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { warnOfReach } from '../../edit/reach.ts'
import { whyNotEditable } from '../../edit/text-matches.ts'
import { controlsOf, isAround } from '../../story/controls.ts'
import { mergeFieldOf, type Placeholder, placeholdersIn } from '../../story/placeholders.ts'
import { type PlaceArgument, paragraphById, paragraphsAt, placeOf } from '../../story/places.ts'
import type { Paragraph } from '../../story/story.ts'
import { spansIn, textMapOf } from '../../story/text-map.ts'
import { fillControl } from './fill-control.ts'
import { FillData, type FillValue, plain } from './fill-data.ts'
import { fillFormField } from './fill-form-field.ts'
import { fillText, findFieldProblem } from './fill-paragraph.ts'
import { findRows, repeatRows } from './repeat-rows.ts'

const MOST_NAMED = 40

/** A placeholder and the value that it gets. JSON only. */
interface Fill {
  readonly placeholder: Placeholder
  readonly value: FillValue
}

interface Plan {
  readonly rows: ReturnType<typeof findRows>
  readonly fills: readonly Fill[]
  /** Why placeholders stay, in words. */
  readonly blocked: readonly string[]
}

/** Fills what a template leaves open, wherever it stands, and names what stays open. */
export function fillPlaceholders(
  editor: DocumentEditor,
  { placeholders = {}, place }: DocumentArgs<'fill_placeholders'>,
): OperationResult {
  if (Object.keys(placeholders).length === 0)
    throw invalid(
      'fill_placeholders needs placeholders: values by name, such as {"Client": "ACME"}',
    )
  const data = new FillData(placeholders)
  const plan = editor.resolve('plan', () => planFor(editor, data, place))
  const groups = new Map<string, Fill[]>()
  for (const fill of plan.fills)
    groups.set(fill.placeholder.id, [...(groups.get(fill.placeholder.id) ?? []), fill])
  const places: string[] = []
  let filled = 0
  for (const [id, fills] of groups) {
    const isWanted = editor.accepts(placeOf(id)) || editor.accepts(`control at ${placeOf(id)}`)
    if (!isWanted) continue
    const done = fillParagraph(editor, paragraphById(editor.manuscript, id), fills)
    filled += done
    if (done > 0) places.push(id)
  }
  const rows = repeatRows(editor, data, plan.rows)
  filled += rows.filled
  const left = editor.isReplay ? [] : leftOf(editor, place)
  if (plan.fills.length + plan.rows.length === 0 && !editor.isReplay) throw nothing(left, plan)
  warn(editor, data, plan, left)
  if (!editor.isReplay)
    warnOfReach(editor, [...new Set(plan.fills.flatMap(({ placeholder }) => wordsOf(placeholder)))])
  return {
    op: 'fill_placeholders',
    message: `Filled ${counted(filled, 'placeholder')} in ${counted(places.length + rows.places.length, 'place')}${rows.rows > 0 ? `, ${counted(rows.rows, 'table row')}` : ''}.`,
    filled,
    places: [...places, ...rows.places].slice(0, 100),
    unfilled: left.slice(0, 100),
  }
}

/** Text that is a placeholder wherever it stands; a highlighted word or the name of a control is an ordinary word elsewhere. */
function wordsOf({ kind, text, start }: Placeholder): readonly string[] {
  return kind === 'text' && start >= 0 && /[\p{L}\p{N}]/u.test(text) ? [text] : []
}

function planFor(editor: DocumentEditor, data: FillData, place: PlaceArgument | undefined): Plan {
  const rows = findRows(editor, data, place)
  const inRows = new Set(rows.flatMap(row => row.placeholders.map(({ id }) => id)))
  const fills: Fill[] = []
  const blocked: string[] = []
  const turns = new Map<string, number>()
  const paragraphs = paragraphsAt(editor.manuscript, place).map(paragraph => ({
    paragraph,
    placeholders: placeholdersIn(paragraph),
  }))
  const names = new Set(
    paragraphs.flatMap(own => own.placeholders.flatMap(each => each.names.map(plain))),
  )
  const wanted = paragraphs.flatMap(({ paragraph, placeholders }) => {
    if (inRows.has(paragraph.id)) return []
    const isAlone = placeholders.length === 1 && !names.has(paragraph.id)
    return placeholders.flatMap(placeholder => {
      const given = data.valuesFor(placeholder, { isAlone })
      return given ? [{ paragraph, placeholder, given }] : []
    })
  })
  refuseAmbiguous(wanted)
  for (const { paragraph, placeholder, given } of wanted) {
    const { key, values, isList } = given
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    const value = isList ? values[turn] : values[0]
    if (value === undefined) continue
    const reason = whyNot(editor, paragraph, placeholder)
    if (reason === undefined) fills.push({ placeholder, value })
    else blocked.push(reason)
  }
  return { rows, fills, blocked }
}

/** What the data has a value for. Text inside a control that is filled as a whole is not filled itself. */
interface OpenPlaceholder {
  readonly paragraph: Paragraph
  readonly placeholder: Placeholder
  readonly given: NonNullable<ReturnType<FillData['valuesFor']>>
}

/** One value for several blanks that have no name would fill them all alike. */
function refuseAmbiguous(wanted: readonly OpenPlaceholder[]): void {
  const counts = new Map<string, number>()
  for (const { placeholder, given } of wanted) {
    const { key, isList } = given
    const isNamed = placeholder.names.length > 0 && placeholder.kind !== 'blank'
    if (!isList && !isNamed) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const [key, count] of counts)
    if (count > 1)
      throw invalid(
        `there are ${count} placeholders ${JSON.stringify(key)} without a name; give a list of values in their order, or name their paragraphs, such as "p12"`,
      )
}

function whyNot(
  editor: DocumentEditor,
  paragraph: Paragraph,
  { start, end, control, formField }: Placeholder,
): string | undefined {
  if (control !== undefined || formField !== undefined) return undefined
  const { story } = paragraph
  const map = textMapOf(story.pieces(paragraph))
  const field = mergeFieldOf(spansIn(map, start, end)[0]?.piece.border)
  if (!field) return whyNotEditable(editor, paragraph, map, { start, end })
  const problem = findFieldProblem(story.tree, field.node)
  return problem === undefined ? undefined : `${paragraph.id}: ${problem}`
}

/** The placeholders of a paragraph are one change; a control around paragraphs is one of its own. */
function fillParagraph(
  editor: DocumentEditor,
  paragraph: Paragraph,
  fills: readonly Fill[],
): number {
  const { story } = paragraph
  const controls = controlsOf(story.tree, paragraph.node)
  const isOuter = ({ placeholder: { control } }: Fill) =>
    control !== undefined && isAround(controls[control]!, paragraph.node)
  const inner = fills.filter(fill => !isOuter(fill))
  let count = 0
  if (inner.length > 0 && fillInner(editor, paragraph, inner)) count += inner.length
  for (const fill of fills.filter(isOuter)) if (fillOuter(editor, paragraph, fill)) count++
  return count
}

function fillInner(editor: DocumentEditor, paragraph: Paragraph, fills: readonly Fill[]): boolean {
  const { story } = paragraph
  const { text } = textMapOf(story.pieces(paragraph))
  return editor.editParagraph(paragraph, spot => {
    if (spot.node !== paragraph.node && textMapOf(story.pieces(spot)).text !== text) return false
    const texts = fills.flatMap(({ placeholder: { start, end }, value }) => {
      if (start < 0) return []
      refuseUnwritable(String(value))
      return [{ start, end, value: String(value) }]
    })
    withBoundData(editor.manuscript.package, story.tree, spot.node, () =>
      fillText(story, spot, texts, editor.tracking),
    )
    const controls = controlsOf(story.tree, spot.node)
    for (const { placeholder, value } of fills) {
      if (placeholder.control !== undefined)
        setControl(editor, paragraph, controls[placeholder.control]!, value)
      if (placeholder.formField !== undefined) {
        refuseUnwritable(String(value))
        editor.untracked('the value of a form field')
        fillFormField(story.tree, spot.node, placeholder.formField, value)
      }
    }
    return true
  })
}

function fillOuter(
  editor: DocumentEditor,
  paragraph: Paragraph,
  { placeholder, value }: Fill,
): boolean {
  const { story } = paragraph
  const control = controlsOf(story.tree, paragraph.node)[placeholder.control!]!
  const ids = [...control.node.all('w:p')].flatMap(node => story.idOf(node) ?? [])
  const side = () => editor.sideOf(story.paragraph(paragraph.id)!)
  return editor.change(
    {
      kind: 'paragraph',
      place: `control at ${placeOf(paragraph.id)}`,
      keys: ids,
      before: side(),
      after: side,
    },
    () => {
      setControl(editor, paragraph, control, value)
      return true
    },
  )
}

function setControl(
  editor: DocumentEditor,
  { story }: Paragraph,
  control: Parameters<typeof fillControl>[2],
  value: FillValue,
): void {
  refuseUnwritable(String(value))
  editor.untracked('the value of a content control')
  fillControl(editor, story, control, value)
}

interface LeftPlaceholder {
  readonly text: string
  readonly paragraph: string
}

/** What is still open. A check box that nobody named is not: it has a value. */
function leftOf(
  editor: DocumentEditor,
  place: PlaceArgument | undefined,
): readonly LeftPlaceholder[] {
  return paragraphsAt(editor.manuscript, place).flatMap(paragraph =>
    placeholdersIn(paragraph).flatMap(({ text, kind, isFilled }) =>
      isFilled || kind === 'check box' ? [] : [{ text, paragraph: paragraph.id }],
    ),
  )
}

function warn(
  editor: DocumentEditor,
  data: FillData,
  { blocked }: Plan,
  left: readonly LeftPlaceholder[],
): void {
  if (editor.isReplay) return
  if (left.length > 0)
    editor.warn(`${counted(left.length, 'placeholder')} stayed open: ${shown(left)}.`)
  if (blocked.length > 0)
    editor.warn(
      `${counted(blocked.length, 'placeholder')} could not be filled. ${blocked.slice(0, 5).join('. ')}.`,
    )
  const { unused } = data
  if (unused.length > 0)
    editor.warn(
      `no placeholder is called ${unused
        .slice(0, MOST_NAMED)
        .map(key => JSON.stringify(key))
        .join(', ')}, so ${unused.length === 1 ? 'that value was' : 'those values were'} not used.`,
    )
}

function shown(left: readonly LeftPlaceholder[]): string {
  const more = left.length - MOST_NAMED
  const named = left.slice(0, MOST_NAMED).map(({ text, paragraph }) => `${text} (${paragraph})`)
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function nothing(left: readonly LeftPlaceholder[], { blocked }: Plan): Refusal {
  if (blocked.length > 0)
    return new Refusal('CONFLICT', `nothing can be filled: ${blocked.slice(0, 5).join('. ')}`)
  return new Refusal(
    'NO_SUCH_REGION',
    left.length === 0
      ? 'the document has no placeholders'
      : `no placeholder has one of those names; the placeholders are ${shown(left)}`,
  )
}
