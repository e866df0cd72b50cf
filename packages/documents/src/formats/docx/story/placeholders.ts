import type { LiveNode } from '../../../opc/index.ts'
import { controlsOf, type FormControl, isAround, takesValue } from './controls.ts'
import { formFieldMarks, formFieldOf, type OlderFormField } from './form-fields.ts'
import { type Border, fieldName, type TextPiece } from './pieces.ts'
import type { Paragraph } from './story.ts'
import { type Span, spansIn, type TextMap, textMapOf } from './text-map.ts'

export type PlaceholderKind = 'text' | 'blank' | 'MERGEFIELD' | 'highlighted' | FormControl['kind']

/** Something that a template leaves to fill in. JSON only. */
export interface Placeholder {
  readonly kind: PlaceholderKind
  /** The paragraph. */
  readonly id: string
  /** What data may call it; none for `[●]`. */
  readonly names: readonly string[]
  /** As it stands. */
  readonly text: string
  /** Its characters; of a control or a form field: none. */
  readonly start: number
  readonly end: number
  /** The number of a control in its paragraph. */
  readonly control?: number
  /** The number of a form field in its paragraph. */
  readonly formField?: number
  /** Of a control or a form field: somebody filled it already. */
  readonly isFilled?: boolean
}

const PATTERNS =
  /\{\{[^{}]{1,80}\}\}|«[^«»]{1,80}»|\[(?:●|•|[A-Z][^[\]]{0,60})\]|_{4,}|<<[^<>]{1,80}>>/g
const WHOLE = new RegExp(`^\\s*(?:${PATTERNS.source})\\s*$`)
const MOST = 500 // in one paragraph

/** `{{name}}`, `[Name]`, `[●]`, `____`, `«name»`, merge fields, highlighted text and content controls, in order. */
export function placeholdersIn(paragraph: Paragraph): readonly Placeholder[] {
  const pieces = paragraph.story.pieces(paragraph)
  const others = [...controlPlaceholders(paragraph), ...formFieldPlaceholders(paragraph)]
  if (!pieces.some(mayHold)) return others
  const map = textMapOf(pieces)
  const { id } = paragraph
  const found: Placeholder[] = []
  const isFree = (start: number, end: number) =>
    !found.some(own => own.start < end && own.end > start)
  for (const own of mergeFields(map)) found.push({ ...own, kind: 'MERGEFIELD', id })
  for (const match of map.text.matchAll(PATTERNS)) {
    const start = match.index
    const end = start + match[0].length
    if (!isFree(start, end) || found.length >= MOST) continue
    const isBlank = match[0].startsWith('_')
    const names = isBlank ? labelBefore(map.text, start) : [match[0].replace(EDGES, '').trim()]
    found.push({
      kind: isBlank ? 'blank' : 'text',
      id,
      names: names.filter(isName),
      text: match[0],
      start,
      end,
    })
  }
  for (const { start, end } of highlighted(paragraph, map)) {
    const text = map.text.slice(start, end)
    if (isFree(start, end) && isName(text) && found.length < MOST)
      found.push({ kind: 'highlighted', id, names: [text.trim()], text, start, end })
  }
  found.sort((a, b) => a.start - b.start)
  return [...found.filter(own => !isInControl(paragraph, map, own, others)), ...others]
}

/** The words that a control holds are filled with the control. */
function isInControl(
  { story, node }: Paragraph,
  map: TextMap,
  { text, start, end }: Placeholder,
  others: readonly Placeholder[],
): boolean {
  const controls = others.filter(own => own.control !== undefined && own.names.includes(text))
  if (controls.length === 0) return false
  const [span] = spansIn(map, start, end)
  if (span?.piece.border?.kind === 'control') return true
  const all = controlsOf(story.tree, node)
  return controls.some(({ control }) => isAround(all[control!]!, node))
}

/** Most paragraphs hold nothing to fill in: a field, a mark of highlighting, or a character that begins a placeholder. */
function mayHold({ text, border, run }: TextPiece): boolean {
  return (
    border !== undefined ||
    BEGINS.test(text) ||
    run?.child('w:rPr')?.child('w:highlight') !== undefined
  )
}

const BEGINS = /[{«[_<]/
const EDGES = /^(?:\{\{|«|\[|<<)|(?:\}\}|»|\]|>>)$/g

function isName(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** `Name: ____` is called Name. */
function labelBefore(text: string, at: number): string[] {
  const label = /([^:_\t\n.;]{1,60}?)\s*:?\s*$/u.exec(text.slice(Math.max(0, at - 80), at))?.[1]
  return label === undefined ? [] : [label.trim()]
}

function mergeFields(map: TextMap): Omit<Placeholder, 'kind' | 'id'>[] {
  const found: { field: Border; start: number; end: number }[] = []
  for (const { piece, start, end } of map.spans) {
    const field = mergeFieldOf(piece.border)
    if (!field) continue
    const last = found.at(-1)
    if (last?.field.node === field.node) last.end = end
    else found.push({ field, start, end })
  }
  return found.map(({ field, start, end }) => {
    const name = /^\s*MERGEFIELD\s+(?:"([^"]*)"|(\S+))/i.exec(field.code)
    const names = [name?.[1] ?? name?.[2] ?? fieldName(field.code)]
    return { names, text: map.text.slice(start, end), start, end }
  })
}

/** What a mail merge replaces: a value, a line of greeting, an address. */
const MERGED: ReadonlySet<string> = new Set(['MERGEFIELD', 'GREETINGLINE', 'ADDRESSBLOCK'])

/** The merge field whose result it is; undefined where another field computes it. */
export function mergeFieldOf(border: Border | undefined): Border | undefined {
  return border?.kind === 'field' && MERGED.has(fieldName(border.code)) && !border.outer
    ? border
    : undefined
}

function highlighted({ story }: Paragraph, map: TextMap): { start: number; end: number }[] {
  const isMarked = ({ piece }: Span) => {
    const mark = piece.run?.child('w:rPr')?.child('w:highlight')
    return mark !== undefined && story.tree.attribute(mark, 'w:val') !== 'none'
  }
  const ranges: { start: number; end: number }[] = []
  for (const span of map.spans) {
    if (span.piece.kind !== 'text' || span.piece.isPrompt || !isMarked(span)) continue
    const last = ranges.at(-1)
    if (last?.end === span.start) last.end = span.end
    else ranges.push({ start: span.start, end: span.end })
  }
  return ranges
}

function controlPlaceholders(paragraph: Paragraph): Placeholder[] {
  const { story, node, id } = paragraph
  if (!story.mayHaveControls) return []
  if (!node.closest('w:sdt') && node.all('w:sdt').next().done) return []
  return controlsOf(story.tree, node).flatMap((own, control) => {
    if (!takesValue(own)) return []
    const isOuter = isAround(own, node)
    const pieces = story.pieces(paragraph)
    const inner = isOuter ? pieces : pieces.filter(({ border }) => border?.node === own.node)
    const text = inner.map(piece => piece.text).join('')
    const isOpen = own.isEmpty || WHOLE.test(text)
    const names = isOpen && isName(text) ? [...own.names, text] : own.names
    return {
      kind: own.kind,
      id,
      names,
      text: names[0] ?? text,
      start: -1,
      end: -1,
      control,
      ...(!isOpen && own.kind !== 'check box' && { isFilled: true }),
    }
  })
}

function formFieldPlaceholders(paragraph: Paragraph): Placeholder[] {
  const { story, node, id } = paragraph
  if (!story.mayHaveFormFields) return []
  return [...formFieldMarks(node)].flatMap((begin, formField) => {
    const own = formFieldOf(story.tree, begin)
    if (!own) return []
    const { kind, name } = own
    const names = name === '' ? [] : [name]
    const isFilled = isFormFieldFilled(paragraph, begin, own)
    const place = { start: -1, end: -1, formField, ...(isFilled && { isFilled }) }
    return [{ kind, id, names, text: name || kind, ...place }]
  })
}

/** A box has a value always; spaces are no text. */
function isFormFieldFilled(paragraph: Paragraph, begin: LiveNode, own: OlderFormField): boolean {
  if (own.kind === 'check box') return false
  if (own.kind === 'drop-down') return own.node.child('w:result') !== undefined
  const text = formFieldText(paragraph, begin).trim()
  return text !== '' && text !== own.value.trim()
}

/** What a text field of a form shows. */
export function formFieldText(paragraph: Paragraph, begin: LiveNode): string {
  return paragraph.story
    .pieces(paragraph)
    .filter(({ border, isDeleted, kind }) => {
      return border?.node === begin && !isDeleted && kind !== 'token'
    })
    .map(({ text }) => text)
    .join('')
}
