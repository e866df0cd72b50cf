import { type Fields, takeField } from '@filewright/protocol'

const PLACES = [
  'place',
  'paragraph',
  'paragraph_id',
  'id',
  'index',
  'target',
  'range',
  'location',
  'section',
]

/** A place under another name. */
export function meantPlace(fields: Fields): Fields {
  const [place, rest] = takeField(fields, PLACES)
  const [text, others] = takeField(rest, ['text', 'new_text', 'content', 'value'])
  return { ...given('place', place), ...given('text', text), ...others }
}

export function meantReplacement(fields: Fields): Fields {
  const [search, others] = takeField(fields, ['search', 'find', 'old', 'old_text', 'from'])
  const [replace, rest] = takeField(others, [
    'replace',
    'replacement',
    'new',
    'new_text',
    'with',
    'to',
  ])
  return { ...given('search', search), ...given('replace', replace), ...rest }
}

export function meantInsertion(fields: Fields): Fields {
  const [text, others] = takeField(fields, [
    'text',
    'content',
    'paragraph',
    'value',
    'texts',
    'paragraphs',
  ])
  const [after, rest] = takeField(others, ['after', 'after_paragraph', 'insert_after', 'anchor'])
  const [before, left] = takeField(rest, ['before', 'before_paragraph', 'insert_before'])
  return { ...given('text', text), ...given('after', after), ...given('before', before), ...left }
}

export function meantSetParagraphs(fields: Fields): Fields {
  const [paragraphs, rest] = takeField(fields, ['paragraphs', 'updates', 'edits', 'items'])
  return { ...given('paragraphs', paragraphs), ...rest }
}

/** Values under another name. */
export function meantFilling(fields: Fields): Fields {
  const [placeholders, rest] = takeField(fields, [
    'placeholders',
    'values',
    'data',
    'fields',
    'replacements',
  ])
  return { ...given('placeholders', placeholders), ...rest }
}

export function meantMarkdown(fields: Fields): Fields {
  const { text: markdown, ...rest } = meantInsertion({ text: fields.markdown, ...fields })
  const { markdown: _, ...others } = rest
  return { ...given('markdown', markdown), ...others }
}

/** A table and its values under other names. */
export function meantTable(fields: Fields): Fields {
  const [table, others] = takeField(fields, ['table', 'table_id', 'table_index', 'place', 'id'])
  const [values, rest] = takeField(others, ['values', 'data', 'table_data', 'contents'])
  return { ...given('table', table), ...given('values', values), ...rest }
}

/** Applies where no operation is named. */
export function opOf(fields: Fields): string | undefined {
  if (fields.search !== undefined && fields.replace !== undefined) return 'replace_text'
  return undefined
}

function given(name: string, value: unknown): Fields {
  return value === undefined ? {} : { [name]: value }
}
