import { type Fields, takeField } from '@filewright/protocol'

const INDEXES = ['index', 'slide_index', 'slide', 'slideIndex', 'slide_number']
const SHAPES = ['shape', 'shape_id', 'shapeId', 'shape_name', 'target']

/** The slide under its older name. */
export function meantSlide(fields: Fields): Fields {
  const [index, rest] = takeField(fields, INDEXES)
  return { ...given('index', index), ...rest }
}

/** A slide and a shape on it under other names. */
export function meantShape(fields: Fields): Fields {
  const [shape, rest] = takeField(meantSlide(fields), SHAPES)
  const [text, others] = takeField(rest, ['text', 'new_text', 'content', 'value'])
  return { ...given('shape', shape), ...given('text', text), ...others }
}

export function meantSlideText(fields: Fields): Fields {
  const [body, rest] = takeField(meantSlide(fields), ['body', 'content', 'bullets', 'text'])
  return { ...given('body', body), ...rest }
}

export function meantBullets(fields: Fields): Fields {
  const [bullets, rest] = takeField(meantSlide(fields), ['bullets', 'items', 'points', 'text'])
  return { ...given('bullets', bullets), ...rest }
}

export function meantReplacement(fields: Fields): Fields {
  const [search, others] = takeField(meantSlide(fields), [
    'search',
    'find',
    'old',
    'old_text',
    'from',
  ])
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

export function meantNotes(fields: Fields): Fields {
  const [text, rest] = takeField(meantSlide(fields), ['text', 'notes', 'content'])
  return { ...given('text', text), ...rest }
}

/** A table and its values under other names. */
export function meantTable(fields: Fields): Fields {
  const [table, others] = takeField(meantSlide(fields), ['table', 'shape', 'shape_id', 'table_id'])
  const [values, rest] = takeField(others, ['values', 'data', 'table_data', 'contents'])
  return { ...given('table', table), ...given('values', values), ...rest }
}

/** A picture under other names. */
export function meantImage(fields: Fields): Fields {
  const [shape, rest] = takeField(meantSlide(fields), SHAPES)
  const [image, others] = takeField(rest, ['image', 'image_path', 'picture', 'file', 'source'])
  return { ...given('shape', shape), ...given('image', image), ...others }
}

/** A chart and its data under other names. */
export function meantChart(fields: Fields): Fields {
  const [chart, rest] = takeField(meantSlide(fields), ['chart', 'shape', 'shape_id', 'chart_id'])
  const [type, others] = takeField(rest, ['type', 'chart_type', 'kind'])
  return { ...given('chart', chart), ...given('type', type), ...others }
}

/** A new slide and its position under other names. */
export function meantNewSlide(fields: Fields): Fields {
  const [at, rest] = takePlace(fields, ['at', 'index', 'position', 'slide_index', 'insert_at'])
  const [body, others] = takeField(rest, ['body', 'content', 'bullets', 'text'])
  const [layout, left] = takeField(others, ['layout', 'layout_name', 'slide_layout'])
  return { ...given('at', at), ...given('body', body), ...given('layout', layout), ...left }
}

/** Slides of another deck under other names. */
export function meantImport(fields: Fields): Fields {
  const [from, rest] = takeField(fields, ['from', 'source', 'file', 'other', 'source_path'])
  const [slides, others] = takeField(rest, ['slides', 'indexes', 'slide_indexes', 'range'])
  const [at, left] = takePlace(others, ['at', 'index', 'position', 'insert_at'])
  return { ...given('from', from), ...given('slides', slides), ...given('at', at), ...left }
}

/** The index that a new slide gets; "after" and "before" name a neighbour. */
function takePlace(fields: Fields, names: readonly string[]): readonly [unknown, Fields] {
  const [at, rest] = takeField(fields, names)
  if (at !== undefined) return [at, rest]
  const [after, others] = takeField(rest, ['after', 'after_index'])
  if (Number.isInteger(after)) return [Number(after) + 1, others]
  const [before, left] = takeField(rest, ['before', 'before_index'])
  return Number.isInteger(before) ? [before, left] : [undefined, rest]
}

/** Applies where no operation is named. */
export function opOf(fields: Fields): string | undefined {
  if (fields.search !== undefined && fields.replace !== undefined) return 'replace_text'
  if (fields.bullets !== undefined) return 'append_bullets'
  return undefined
}

function given(name: string, value: unknown): Fields {
  return value === undefined ? {} : { [name]: value }
}
