import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { DocumentPackage } from '../parts/document-package.ts'
import { toggleOf } from '../parts/values.ts'
import type { ParagraphSpot } from './index-story.ts'
import { type Border, fieldName, type TextPiece, TOKEN } from './pieces.ts'
import type { Story } from './story.ts'
import { type TextMap, textMapOf, type View } from './text-map.ts'

/** Inline marks of the form that `read` gives and `set_paragraph` takes. */
export interface Looks {
  readonly bold: boolean
  readonly italic: boolean
  readonly strike: boolean
}

/** A stretch of a paragraph as it is shown: text with its looks, or a token. */
export interface FormPiece extends Looks {
  /** A token is one character. */
  readonly text: string
  /** Its characters in the text of the paragraph. */
  readonly start: number
  readonly end: number
  /** What a token is: `footnote 2`, `REF "Section 2"`. */
  readonly label: string | undefined
  readonly link: Border | undefined
  readonly piece: TextPiece
}

/** The paragraph as stretches to show. A field is one token, unless it goes on in other paragraphs. */
export function formPiecesOf(
  story: Story,
  spot: ParagraphSpot,
  view: View = 'final',
): { readonly map: TextMap; readonly shown: readonly FormPiece[] } {
  const map = textMapOf(story.pieces(spot), view)
  const wholeFields = wholeFieldsIn(map, spot)
  const shown: FormPiece[] = []
  for (const { piece, start, end } of map.spans) {
    const field = outermostField(piece.border, wholeFields)
    const last = shown.at(-1)
    if (field && last && fieldOf.get(last) === field.node) {
      const joined = { ...last, end, label: fieldLabel(field, map.text.slice(last.start, end)) }
      fieldOf.set(joined, field.node)
      shown[shown.length - 1] = joined
      continue
    }
    const own: FormPiece = {
      ...looksOf(story.tree, piece.run),
      text: field || piece.kind === 'token' || piece.isPrompt ? TOKEN : piece.text,
      start,
      end,
      label: labelOf(piece, field, map.text.slice(start, end)),
      link: linkOf(piece.border),
      piece,
    }
    if (field) fieldOf.set(own, field.node)
    shown.push(own)
  }
  return { map, shown }
}

/** Which field a token stands for. */
const fieldOf = new WeakMap<FormPiece, LiveNode>()

function labelOf(piece: TextPiece, field: Border | undefined, text: string): string | undefined {
  if (field) return piece.node === field.node ? piece.label : fieldLabel(field, text)
  if (piece.isPrompt) return `prompt "${piece.text}"`
  return piece.kind === 'token' ? piece.label : undefined
}

function fieldLabel({ code }: Border, result: string): string {
  const shown = result.replaceAll(TOKEN, '').replace(/\s+/g, ' ').slice(0, MAX_RESULT)
  return `${fieldName(code) || 'field'} "${shown}"`
}

const MAX_RESULT = 80 // characters

/** A field is a token where it begins in this paragraph; other fields reach over paragraphs. */
function wholeFieldsIn(map: TextMap, spot: ParagraphSpot): ReadonlySet<LiveNode> {
  const open = new Set(spot.openFields.map(({ begin }) => begin))
  const whole = new Set<LiveNode>()
  for (const { piece } of map.spans)
    for (let at = piece.border; at; at = at.outer)
      if (at.kind === 'field' && !open.has(at.node)) whole.add(at.node)
  return whole
}

function outermostField(
  border: Border | undefined,
  whole: ReadonlySet<LiveNode>,
): Border | undefined {
  let found: Border | undefined
  for (let at = border; at; at = at.outer) if (whole.has(at.node)) found = at
  return found
}

function linkOf(border: Border | undefined): Border | undefined {
  let at = border
  while (at && at.kind !== 'link') at = at.outer
  return at
}

const PLAIN: Looks = { bold: false, italic: false, strike: false }

export function looksOf(tree: LiveTree, run: LiveNode | undefined): Looks {
  const properties = run?.child('w:rPr')
  if (!properties) return PLAIN
  return {
    bold: toggleOf(tree, properties, 'w:b') === true,
    italic: toggleOf(tree, properties, 'w:i') === true,
    strike: toggleOf(tree, properties, 'w:strike') === true,
  }
}

/** The address of a link, or `#name` for a place in the document. */
export function linkTarget(own: DocumentPackage, story: Story, border: Border): string {
  if (border.code !== '') {
    const local = /\\l\s+"?([^"\s]+)/.exec(border.code)?.[1]
    const address = /HYPERLINK\s+(?:"([^"]*)"|([^\s\\]\S*))/i.exec(border.code)
    return `${address?.[1] ?? address?.[2] ?? ''}${local ? `#${local}` : ''}`
  }
  const { tree } = story
  const id = tree.attribute(border.node, 'r:id')
  const anchor = tree.attribute(border.node, 'w:anchor')
  const link = id === undefined ? undefined : own.links(story.part).find(each => each.id === id)
  return `${link?.target ?? ''}${anchor ? `#${anchor}` : ''}`
}

/** The paragraph in the form that a model reads and sends back. */
export function renderForm(
  own: DocumentPackage,
  story: Story,
  spot: ParagraphSpot,
  view: View = 'final',
): string {
  const { shown } = formPiecesOf(story, spot, view)
  return new FormWriter(border => linkTarget(own, story, border), view).write(shown)
}

const ESCAPED = /[\\*~⟦⟧⏎]/g

class FormWriter {
  readonly #target: (border: Border) => string
  readonly #view: View
  #out = ''
  #looks: Looks = PLAIN
  #link: Border | undefined
  #revision = ''

  constructor(target: (border: Border) => string, view: View) {
    this.#target = target
    this.#view = view
  }

  write(shown: readonly FormPiece[]): string {
    for (const own of shown) {
      this.#enterRevision(own.piece)
      this.#enterLink(own.link)
      if (own.label !== undefined) this.#out += `⟦${own.label.replace(/[⟦⟧]/g, '')}⟧`
      else this.#text(own)
    }
    this.#setLooks(PLAIN)
    this.#enterLink(undefined)
    this.#enterRevision(undefined)
    return this.#out
  }

  /** Marks stand next to words: spaces go outside. */
  #text(own: FormPiece): void {
    const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(own.text) ?? []
    if (words === '') {
      this.#out += toShown(own.text)
      return
    }
    if (!isSameLook(own, this.#looks)) {
      this.#setLooks(PLAIN)
      this.#out += toShown(before)
      this.#setLooks(own)
    } else this.#out += toShown(before)
    this.#out += words.replace(ESCAPED, char => `\\${char}`).replaceAll('\n', '⏎')
    if (after === '') return
    this.#out += toShown(after)
  }

  #setLooks(looks: Looks): void {
    if (isSameLook(looks, this.#looks)) return
    const space = this.#out.slice(this.#out.trimEnd().length)
    const close = marksOf(this.#looks)
    if (close !== '')
      this.#out = `${this.#out.slice(0, this.#out.length - space.length)}${[...close].reverse().join('')}${space}`
    this.#out += marksOf(looks)
    this.#looks = { bold: looks.bold, italic: looks.italic, strike: looks.strike }
  }

  #enterLink(link: Border | undefined): void {
    if (link?.node === this.#link?.node) return
    this.#setLooks(PLAIN)
    if (this.#link) this.#out += `](${this.#target(this.#link)})`
    if (link) this.#out += '['
    this.#link = link
  }

  #enterRevision(piece: TextPiece | undefined): void {
    if (this.#view !== 'marked') return
    const kind = piece?.isDeleted ? '--' : piece?.revision ? '++' : ''
    if (kind === this.#revision) return
    this.#setLooks(PLAIN)
    this.#enterLink(undefined)
    if (this.#revision !== '') this.#out += `${this.#revision}}`
    if (kind !== '') this.#out += `{${kind}`
    this.#revision = kind
  }
}

function toShown(space: string): string {
  return space.replaceAll('\n', '⏎')
}

function marksOf({ bold, italic, strike }: Looks): string {
  return `${strike ? '~~' : ''}${bold ? '**' : ''}${italic ? '*' : ''}`
}

function isSameLook(a: Looks, b: Looks): boolean {
  return a.bold === b.bold && a.italic === b.italic && a.strike === b.strike
}
