import { type Fields, isFields, takeField } from '@filewright/protocol'

/** Fields of objects under the names that models use for them. */
function renamed(fields: Fields, names: Readonly<Record<string, readonly string[]>>): Fields {
  let left = fields
  const own: Record<string, unknown> = {}
  for (const [name, others] of Object.entries(names)) {
    const [value, rest] = takeField(left, [name, ...others])
    if (value !== undefined) own[name] = value
    left = rest
  }
  return { ...own, ...left }
}

export function meantTable(fields: Fields): Fields {
  return renamed(fields, {
    table: ['table_name', 'displayName'],
    range: ['ref', 'cells', 'data_range'],
    style: ['table_style', 'styleName'],
    totals: ['totals_row', 'total_row', 'totalsRow'],
    header: ['has_header', 'headers', 'has_headers', 'header_row'],
  })
}

export function meantName(fields: Fields): Fields {
  return renamed(fields, {
    name: ['named_range', 'range_name'],
    refers_to: ['refersTo', 'reference', 'ref', 'range', 'formula', 'value'],
  })
}

export function meantValidation(fields: Fields): Fields {
  const own = renamed(fields, {
    range: ['ref', 'cells', 'cell', 'sqref'],
    type: ['validation_type', 'kind', 'allow'],
    list: ['values', 'options', 'items', 'choices', 'allowed_values'],
    source: ['source_range', 'list_source', 'list_range'],
    min: ['minimum'],
    max: ['maximum'],
    prompt: ['input_message', 'prompt_message', 'message'],
    error: ['error_message'],
    level: ['error_style', 'alert_style'],
    blank: ['allow_blank', 'ignore_blank', 'allow_empty'],
  })
  const [formula1, left] = takeField(own, ['formula1'])
  const [formula2, rest] = takeField(left, ['formula2'])
  return {
    ...rest,
    ...(formula1 !== undefined && { value: formula1 }),
    ...(formula2 !== undefined && { value2: formula2 }),
  }
}

export function meantComment(fields: Fields): Fields {
  const own = renamed(fields, {
    cell: ['address', 'ref', 'range'],
    text: ['comment', 'note', 'content', 'message', 'reply'],
  })
  return isFields(own.text) && typeof own.text.text === 'string'
    ? { ...own, text: own.text.text }
    : own
}

export function meantLink(fields: Fields): Fields {
  return renamed(fields, {
    cell: ['address', 'ref'],
    url: ['link', 'href', 'target', 'hyperlink', 'uri'],
    text: ['display', 'display_text', 'label'],
    tooltip: ['screen_tip', 'screentip', 'title'],
  })
}

export function meantChart(fields: Fields): Fields {
  const own = renamed(fields, {
    type: ['chart_type', 'kind', 'chartType'],
    chart: ['chart_name', 'chart_id'],
    source: ['data_range', 'data', 'source_range', 'table', 'source_data'],
    cell: ['anchor', 'position', 'at', 'place', 'anchor_cell'],
    title: ['chart_title'],
    x_title: ['x_axis_title', 'xAxisTitle', 'x_label', 'x_axis', 'category_title'],
    y_title: ['y_axis_title', 'yAxisTitle', 'y_label', 'y_axis', 'value_title'],
    legend: ['legend_position', 'show_legend'],
    categories: ['category_range', 'labels', 'x'],
  })
  if (!Array.isArray(own.series)) return own
  return { ...own, series: own.series.map(each => (isFields(each) ? meantSeries(each) : each)) }
}

function meantSeries(series: Fields): Fields {
  return renamed(series, {
    name: ['title', 'label'],
    values: ['range', 'value_range', 'y', 'data', 'ref'],
    categories: ['category_range', 'x', 'labels', 'cats'],
    type: ['chart_type', 'kind'],
    secondary: ['secondary_axis', 'secondaryAxis', 'on_secondary_axis'],
  })
}

export function meantImage(fields: Fields): Fields {
  return renamed(fields, {
    image: ['image_path', 'path', 'file', 'source'],
    picture: ['picture_name', 'image_name', 'image_id'],
    cell: ['anchor', 'position', 'at', 'place', 'to'],
    alt: ['alt_text', 'description'],
  })
}

export function meantPivot(fields: Fields): Fields {
  return renamed(fields, {
    pivot: ['pivot_table', 'pivot_name', 'table'],
    source: ['source_range', 'data', 'data_range', 'range', 'source_data'],
    rows: ['row_fields', 'row'],
    columns: ['column_fields', 'cols', 'column'],
    values: ['value_fields', 'data_fields', 'value', 'measures'],
    filters: ['filter_fields', 'page_fields', 'filter', 'pages'],
    cell: ['target', 'destination', 'anchor', 'to', 'at', 'location', 'start'],
  })
}

const PROPERTY_NAMES = [
  'title',
  'subject',
  'author',
  'keywords',
  'description',
  'category',
  'company',
]

/** `{title: "Budget"}` for `{properties: {title: "Budget"}}`. */
export function meantProperties(fields: Fields): Fields {
  const own = renamed(fields, { properties: ['metadata', 'values'] })
  if (own.properties !== undefined) return own
  const given = PROPERTY_NAMES.filter(name => own[name] !== undefined)
  if (given.length === 0) return own
  const rest = Object.fromEntries(Object.entries(own).filter(([name]) => !given.includes(name)))
  return { ...rest, properties: Object.fromEntries(given.map(name => [name, own[name]])) }
}
