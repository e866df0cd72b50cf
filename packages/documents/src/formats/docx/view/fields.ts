import type { LiveNode } from '../../../opc/index.ts'
import { controlsOf, takesValue } from '../story/controls.ts'
import { formFieldMarks, formFieldOf } from '../story/form-fields.ts'
import { type Border, fieldName } from '../story/pieces.ts'
import { formFieldText } from '../story/placeholders.ts'
import type { Paragraph, Story } from '../story/story.ts'

const MOST_SHOWN = 60 // characters of a result

/** A field with where it begins and what it shows there. */
export interface FieldEntry {
  readonly kind: string
  readonly paragraph: string
  readonly shows: string
  /** The bookmark that a cross-reference names. */
  readonly target?: string
}

/** The fields of a story, links and form fields apart. */
export function fieldsOf(story: Story): readonly FieldEntry[] {
  const found = new Map<LiveNode, { paragraph: string; code: string; shows: string }>()
  for (const paragraph of story.paragraphs)
    for (const { border, isDeleted, text, kind } of story.pieces(paragraph)) {
      if (isDeleted) continue
      for (let at: Border | undefined = border; at; at = at.outer) {
        if (at.kind !== 'field') continue
        const known = found.get(at.node)
        const shows = kind === 'token' ? '' : text
        if (!known) found.set(at.node, { paragraph: paragraph.id, code: at.code, shows })
        else if (known.paragraph === paragraph.id && known.shows.length < MOST_SHOWN)
          known.shows += shows
      }
    }
  return [...found.values()].flatMap(({ paragraph, code, shows }) => {
    const kind = fieldName(code) || 'field'
    if (FORMS.has(kind)) return []
    const target = REFERENCES.has(kind) ? /^\s*\S+\s+"?([^"\\\s]+)/.exec(code)?.[1] : undefined
    const short = shows.replace(/\s+/g, ' ').trim().slice(0, MOST_SHOWN)
    return [{ kind, paragraph, shows: short, ...(target !== undefined && { target }) }]
  })
}

const FORMS: ReadonlySet<string> = new Set(['FORMTEXT', 'FORMCHECKBOX', 'FORMDROPDOWN'])
const REFERENCES: ReadonlySet<string> = new Set(['REF', 'PAGEREF', 'NOTEREF'])

/** A content control or a field of an older form. */
export interface ControlEntry {
  readonly kind: string
  readonly paragraph: string
  readonly name?: string
  readonly value: string
}

export function controlEntriesOf(story: Story): readonly ControlEntry[] {
  if (!story.mayHaveControls && !story.mayHaveFormFields) return []
  return story.paragraphs.flatMap(paragraph => [
    ...contentControls(paragraph),
    ...formFields(paragraph),
  ])
}

function contentControls(paragraph: Paragraph): ControlEntry[] {
  const { story, node, id } = paragraph
  if (!story.mayHaveControls) return []
  return controlsOf(story.tree, node).flatMap(own => {
    if (!takesValue(own)) return []
    const texts = [...own.node.all('w:t')].map(each => story.tree.textOf(each))
    const name = own.names[0]
    const value = own.isEmpty ? '' : texts.join('').slice(0, MOST_SHOWN)
    return [{ kind: own.kind, paragraph: id, ...(name !== undefined && { name }), value }]
  })
}

function formFields(paragraph: Paragraph): ControlEntry[] {
  const { story, node, id } = paragraph
  if (!story.mayHaveFormFields) return []
  return [...formFieldMarks(node)].flatMap(begin => {
    const own = formFieldOf(story.tree, begin)
    if (!own) return []
    const value = own.kind === 'text' ? formFieldText(paragraph, begin).trim() : own.value
    const { kind, name } = own
    return [
      { kind, paragraph: id, ...(name !== '' && { name }), value: value.slice(0, MOST_SHOWN) },
    ]
  })
}

/** Every bookmark with the paragraph that it starts in, or the next one where it stands between two. */
export function bookmarksOf(
  story: Story,
): readonly { readonly name: string; readonly paragraph: string }[] {
  const found: { name: string; paragraph: string }[] = []
  const waiting: string[] = []
  const see = (node: LiveNode, paragraph: string | undefined): void => {
    for (const child of node.children) {
      if (child.name === 'w:bookmarkStart') {
        const name = story.tree.attribute(child, 'w:name') ?? ''
        if (name === '') continue
        if (paragraph === undefined) waiting.push(name)
        else found.push({ name, paragraph })
      } else if (child.children.length > 0 || child.name === 'w:p') {
        const own = child.name === 'w:p' ? story.idOf(child) : undefined
        if (own !== undefined)
          for (const name of waiting.splice(0)) found.push({ name, paragraph: own })
        see(child, own ?? paragraph)
      }
    }
  }
  see(story.root, undefined)
  return found
}
