import type { Box } from '@filewright/protocol'
import { encodeAttribute } from '../../../opc/index.ts'
import { mainNamespace, relationshipNamespace, XML_DECLARATION } from '../book/new-sheet.ts'
import { refName } from '../cell/address.ts'

/** Functions of a pivot table, by the words people use. */
export const PIVOT_FUNCTIONS: Readonly<Record<string, readonly [name: string, label: string]>> = {
  sum: ['sum', 'Sum'],
  count: ['count', 'Count'],
  average: ['average', 'Average'],
  max: ['max', 'Max'],
  min: ['min', 'Min'],
  product: ['product', 'Product'],
  count_numbers: ['countNums', 'Count Numbers'],
  stddev: ['stdDev', 'StdDev'],
  var: ['var', 'Var'],
}

export interface PivotValue {
  /** Position of its field. */
  readonly field: number
  /** As the file names it: `sum`, `countNums`. */
  readonly function: string
  readonly name: string
  readonly numFmtId?: string
}

/** Null is blank. */
export type PivotItem = string | number | null

/** What a pivot table shows; fields by their positions in the source. */
export interface PivotPlan {
  readonly name: string
  readonly fields: readonly string[]
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  readonly filters: readonly number[]
  readonly values: readonly PivotValue[]
  /** Cells of a sheet, or a table or name. */
  readonly source: { readonly sheet: string; readonly box: Box } | { readonly name: string }
  /** The distinct values of a field that rows, columns or filters show, in order; absent where they are of odd kinds. */
  readonly items: ReadonlyMap<number, readonly PivotItem[]>
  /** Without its filters. */
  readonly location: Box
  /** Rows of the header before the data. */
  readonly headerRows: number
}

/** A cache that keeps no records: the program that opens the file reads the source. */
export function cacheXml(plan: PivotPlan, isStrict: boolean): string {
  const { source } = plan
  const from =
    'name' in source
      ? `name="${encodeAttribute(source.name)}"`
      : `ref="${refName(source.box)}" sheet="${encodeAttribute(source.sheet)}"`
  return `${XML_DECLARATION}<pivotCacheDefinition xmlns="${mainNamespace(isStrict)}" xmlns:r="${relationshipNamespace(isStrict)}" saveData="0" refreshOnLoad="1" createdVersion="6" refreshedVersion="6" minRefreshableVersion="3"><cacheSource type="worksheet"><worksheetSource ${from}/></cacheSource>${cacheFieldsXml(plan)}</pivotCacheDefinition>`
}

export function cacheFieldsXml({ fields, items }: PivotPlan, p = ''): string {
  const list = fields
    .map(
      (name, at) =>
        `<${p}cacheField name="${encodeAttribute(name)}" numFmtId="0">${itemsXml(items.get(at), p)}</${p}cacheField>`,
    )
    .join('')
  return `<${p}cacheFields count="${fields.length}">${list}</${p}cacheFields>`
}

/** The values of a field, with what kinds of them there are. */
function itemsXml(items: readonly PivotItem[] | undefined, p: string): string {
  if (!items || items.length === 0) return `<${p}sharedItems/>`
  const numbers = items.filter(own => typeof own === 'number')
  const hasText = items.some(own => typeof own === 'string')
  const hasBlank = items.includes(null)
  const isWhole = numbers.every(own => Number.isInteger(own))
  const kinds = [
    ...(numbers.length > 0 && !hasText && !hasBlank ? ['containsSemiMixedTypes="0"'] : []),
    ...(numbers.length > 0 && !hasText ? ['containsString="0"'] : []),
    ...(hasBlank ? ['containsBlank="1"'] : []),
    ...(numbers.length > 0 && hasText ? ['containsMixedTypes="1"'] : []),
    ...(numbers.length > 0 ? ['containsNumber="1"'] : []),
    ...(numbers.length > 0 && isWhole ? ['containsInteger="1"'] : []),
    ...(numbers.length > 0
      ? [`minValue="${Math.min(...numbers)}"`, `maxValue="${Math.max(...numbers)}"`]
      : []),
    `count="${items.length}"`,
  ]
  const list = items.map(own =>
    own === null
      ? `<${p}m/>`
      : typeof own === 'number'
        ? `<${p}n v="${own}"/>`
        : `<${p}s v="${encodeAttribute(own)}"/>`,
  )
  return `<${p}sharedItems ${kinds.join(' ')}>${list.join('')}</${p}sharedItems>`
}

export function pivotXml(plan: PivotPlan, cacheId: number, isStrict: boolean): string {
  return `${XML_DECLARATION}<pivotTableDefinition xmlns="${mainNamespace(isStrict)}" name="${encodeAttribute(plan.name)}" cacheId="${cacheId}" applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" applyAlignmentFormats="0" applyWidthHeightFormats="1" dataCaption="Values" updatedVersion="6" minRefreshableVersion="3" useAutoFormatting="1" itemPrintTitles="1" createdVersion="6" indent="0" compact="0" compactData="0" multipleFieldFilters="0">${bodyXml(plan)}<pivotTableStyleInfo name="PivotStyleLight16" showRowHeaders="1" showColHeaders="1" showRowStripes="0" showColStripes="0" showLastColumn="1"/></pivotTableDefinition>`
}

/** Everything that says what is shown where. */
export function bodyXml(plan: PivotPlan, p = ''): string {
  const { rows, columns, filters, values, location, headerRows } = plan
  const pages = filters.length > 0 ? ` rowPageCount="${filters.length}" colPageCount="1"` : ''
  const across = values.length > 1 ? [...columns, -2] : columns
  const firstHeader = columns.length > 0 || values.length < 2 ? 1 : 0
  const list = (local: string, entry: string, own: readonly number[], name: string) =>
    own.length === 0
      ? ''
      : `<${p}${local} count="${own.length}">${own.map(at => `<${p}${entry} ${name}="${at}"/>`).join('')}</${p}${local}>`
  const data = values
    .map(own => {
      const kind = own.function === 'sum' ? '' : ` subtotal="${own.function}"`
      const format = own.numFmtId === undefined ? '' : ` numFmtId="${own.numFmtId}"`
      return `<${p}dataField name="${encodeAttribute(own.name)}" fld="${own.field}"${kind} baseField="0" baseItem="0"${format}/>`
    })
    .join('')
  return [
    `<${p}location ref="${refName(location)}" firstHeaderRow="${firstHeader}" firstDataRow="${headerRows}" firstDataCol="${Math.max(rows.length, 1)}"${pages}/>`,
    `<${p}pivotFields count="${plan.fields.length}">${plan.fields.map((_, at) => fieldXml(plan, at, p)).join('')}</${p}pivotFields>`,
    list('rowFields', 'field', rows, 'x'),
    list('colFields', 'field', across, 'x'),
    filters.length === 0
      ? ''
      : `<${p}pageFields count="${filters.length}">${filters.map(at => `<${p}pageField fld="${at}" hier="-1"/>`).join('')}</${p}pageFields>`,
    `<${p}dataFields count="${values.length}">${data}</${p}dataFields>`,
  ].join('')
}

function fieldXml(plan: PivotPlan, at: number, p: string): string {
  const { rows, columns, filters, values } = plan
  const axis = rows.includes(at)
    ? 'axisRow'
    : columns.includes(at)
      ? 'axisCol'
      : filters.includes(at)
        ? 'axisPage'
        : undefined
  const data = values.some(({ field }) => field === at) ? ' dataField="1"' : ''
  const form = 'compact="0" outline="0" showAll="0"'
  if (axis === undefined) return `<${p}pivotField${data} ${form}/>`
  const own = plan.items.get(at) ?? []
  const isPage = axis === 'axisPage'
  const entries = [
    ...own.map((_, index) => `<${p}item x="${index}"/>`),
    ...(isPage || own.length === 0 ? [`<${p}item t="default"/>`] : []),
  ]
  const totals = isPage || own.length === 0 ? '' : ' defaultSubtotal="0"'
  return `<${p}pivotField axis="${axis}"${data} ${form}${totals}><${p}items count="${entries.length}">${entries.join('')}</${p}items></${p}pivotField>`
}
