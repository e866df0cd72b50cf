import { counted, fail, ok, type Picture, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import { CROP_RULE, parseCrop } from '../../../pictures/picture.ts'
import type { Handle } from '../library/pdfium.ts'
import type { OpenPdf } from '../library/with-document.ts'
import type { PdfRegion } from '../page/declared.ts'
import type { PageBox } from '../page/geometry.ts'
import { describePages, parsePages } from '../page/page-range.ts'
import { type PageView, withPage } from '../page/page-view.ts'
import type { TableStretch } from '../tables/document-tables.ts'
import { extrasOf, type PageExtras, withForm } from './extras.ts'
import { contentOf, drawPage, type PageContent } from './page-content.ts'
import { MOST_PICTURES, showPictures } from './pictures.ts'
import { type PagesWithTables, tablesAround } from './tables-around.ts'

type ReadFailure = 'INVALID_ARGUMENT' | 'NO_SUCH_REGION' | 'UNREADABLE_FORMAT'

/** Pages in reading order, as many as fit, with the arguments for the next. */
export function readPages(
  pdf: OpenPdf,
  path: string,
  region: PdfRegion,
  options: ReadOptions,
): Result<Reading, ReadFailure> {
  const pages = parsePages(region.pages, pdf.pageCount, path)
  if (!pages.ok) return pages
  const crop = region.crop === undefined ? undefined : parseCrop(region.crop)
  if (region.crop !== undefined && !crop)
    return fail('INVALID_ARGUMENT', `Cannot show a part of "${path}": ${CROP_RULE}.`)
  if (crop) return showPictures(pdf, path, pages.value, crop)
  const around = tablesAround(pdf)
  return withForm(pdf, form =>
    readAll(pdf, { path, form, region, options, around, pages: pages.value }),
  )
}

interface PagesRead {
  readonly path: string
  readonly form: Handle
  readonly region: PdfRegion
  readonly options: ReadOptions
  readonly around: PagesWithTables
  readonly pages: readonly number[]
}

interface ShownPage {
  readonly page: number
  readonly lines: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  readonly picture?: Picture
}

function readAll(pdf: OpenPdf, asked: PagesRead): Result<Reading, ReadFailure> {
  const { path, options, pages, region } = asked
  const shown: ShownPage[] = []
  const texts: string[] = []
  let size = 0
  let pictures = 0
  let next: PdfRegion | undefined
  for (const [index, number] of pages.entries()) {
    const from = index === 0 ? (region.line_start ?? 1) : 1
    const page = withPage(pdf, number, view =>
      showPage(pdf, view, asked, { mayDraw: !options.textOnly && pictures < MOST_PICTURES }),
    )
    if (!page) {
      texts.push(`— page ${number} — cannot be read: the file is damaged here`)
      continue
    }
    const room = options.maxBytes - size
    const fits = cutLines(page.lines, from, room)
    if (fits.count === 0 && shown.length > 0) {
      next = { ...region, pages: describePages(pages.slice(index)), line_start: undefined }
      break
    }
    texts.push(fits.text)
    size += Buffer.byteLength(fits.text) + 1
    shown.push(page)
    if (page.picture) pictures++
    if (fits.isCut) {
      next = { ...region, pages: describePages(pages.slice(index)), line_start: from + fits.count }
      break
    }
  }
  if (shown.length === 0 && texts.length > 0)
    return fail(
      'UNREADABLE_FORMAT',
      `Cannot read ${counted(texts.length, 'page')} of "${path}": the file is damaged there. It has ${counted(pdf.pageCount, 'page')}.`,
    )
  return ok(toReading(pdf, asked, { shown, texts, next }))
}

function toReading(
  pdf: OpenPdf,
  { path, options }: PagesRead,
  { shown, texts, next }: { shown: readonly ShownPage[]; texts: string[]; next?: PdfRegion },
): Reading {
  const numbers = describePages(shown.map(({ page }) => page))
  const part = `${shown.length === 1 ? 'page' : 'pages'} ${numbers}`
  const version = options.version ? ` · version ${options.version}` : ''
  const head = `${path}${version} · ${part} of ${pdf.pageCount}`
  const given = next && withoutUndefined(next)
  const hint = given ? [`… continue with ${describeNext(given)}`] : []
  const pictures = shown.flatMap(({ picture }) => picture ?? [])
  const warnings = shown.flatMap(page => page.warnings)
  return {
    text: [head, ...texts, ...hint].join('\n'),
    fields: { pageCount: pdf.pageCount, pages: shown.map(({ fields }) => fields) },
    shown: part,
    total: counted(pdf.pageCount, 'page'),
    ...(given && { next: given }),
    ...(pictures.length > 0 && { pictures }),
    ...(warnings.length > 0 && { warnings }),
  }
}

function withoutUndefined(region: PdfRegion): PdfRegion {
  return Object.fromEntries(Object.entries(region).filter(([, value]) => value !== undefined))
}

function describeNext({ pages, line_start }: PdfRegion): string {
  return `pages ${JSON.stringify(pages)}${line_start === undefined ? '' : `, line_start ${line_start}`}`
}

const NO_TEXT = 'This page has no text layer: it is probably a scan.'

function showPage(
  pdf: OpenPdf,
  view: PageView,
  { form, region, around, options }: PagesRead,
  { mayDraw }: { mayDraw: boolean },
): ShownPage {
  const content = region.layout ? contentOf(view, { layout: true }) : around.content(view)
  const parts = content.tables.length > 0 ? around.partsOn(view) : []
  const extras = extrasOf(pdf, form, view)
  const picture = !content.hasText && mayDraw ? drawPage(view) : undefined
  const note =
    content.hasText || options.textOnly
      ? []
      : [
          picture
            ? `${NO_TEXT} It is attached as a picture.`
            : `${NO_TEXT} Read it alone, or with crop, for a picture.`,
        ]
  const texts = content.lines.map(({ text, box }) =>
    region.boxes && text !== '' ? `${text} {${toParts(box, view).join(', ')}}` : text,
  )
  return {
    page: view.number,
    lines: [
      `— page ${view.number} —`,
      ...note,
      ...describeStart(parts),
      ...texts,
      ...describeEnd(parts),
      ...describeExtras(extras),
    ],
    fields: toFields(view, { content, extras, parts }, region.boxes === true),
    warnings: content.warnings,
    ...(picture && { picture }),
  }
}

type Parts = readonly TableStretch[] | undefined

function describeStart(parts: Parts): string[] {
  const first = parts === undefined ? undefined : parts[0]
  if (parts === undefined) return ['(The table goes on from pages far before.)']
  return first?.isFromBefore
    ? [`(The table goes on from the page before: ${first.name}, from row ${first.firstRow}.)`]
    : []
}

function describeEnd(parts: Parts): string[] {
  return parts?.at(-1)?.goesOn ? ['(The table goes on on the next page.)'] : []
}

interface PageParts {
  readonly content: PageContent
  readonly extras: PageExtras
  readonly parts: Parts
}

function toFields(view: PageView, { content, extras, parts }: PageParts, boxes: boolean) {
  const { lines, tables, hasText } = content
  const { links, annotations, formFields } = extras
  return {
    page: view.number,
    text: lines.map(({ text }) => text).join('\n'),
    hasText,
    ...(tables.length > 0 && {
      tables: tables.map(({ rows, box }, index) => ({
        ...tableFields(rows, parts?.[index]),
        ...(boxes && { box: toParts(box, view) }),
      })),
    }),
    ...(links.length > 0 && { links }),
    ...(annotations.length > 0 && { annotations }),
    ...(formFields.length > 0 && { formFields }),
    ...(boxes && {
      lines: lines
        .filter(({ text }) => text !== '')
        .map(({ text, box }) => ({ text, box: toParts(box, view) })),
    }),
  }
}

/** As a query has it: its name, and the row that its first row is there. */
function tableFields(rows: readonly (readonly string[])[], part: TableStretch | undefined) {
  if (!part) return { rows }
  const { name, firstRow, isFromBefore, goesOn } = part
  const from = isFromBefore && { isFromBefore, firstRow }
  return { name, rows: part.rows, ...from, ...(goesOn && { goesOn }) }
}

/** What `crop` takes: parts of the width and height. */
function toParts({ left, top, right, bottom }: PageBox, { width, height }: PageView): number[] {
  const part = (of: number, whole: number) =>
    Math.min(1, Math.max(0, Math.round((of / whole) * 1000) / 1000))
  return [part(left, width), part(top, height), part(right, width), part(bottom, height)]
}

function describeExtras({ links, annotations, formFields }: PageExtras): string[] {
  return [
    ...formFields.map(({ name, type, value }) => `form field ${name} (${type}): ${value}`),
    ...annotations.map(({ kind, text }) => `${kind}: ${text}`),
    ...links.map(({ text, url }) => `link: ${text === '' ? '' : `${text} → `}${url}`),
  ]
}

/** Whole lines from one on, within the bytes; the first line always, cut where it must be. */
function cutLines(lines: readonly string[], from: number, maxBytes: number) {
  const kept: string[] = []
  let size = 0
  for (const line of lines.slice(from - 1)) {
    const bytes = Buffer.byteLength(line) + 1
    if (size + bytes > maxBytes) break
    kept.push(line)
    size += bytes
  }
  const left = lines.length - (from - 1) - kept.length
  if (kept.length <= 1 && left > 0 && maxBytes > MOST_LINE_BYTES) {
    kept.push(`${(lines[from - 1 + kept.length] ?? '').slice(0, MOST_LINE_BYTES / 4)}…`)
    return { text: kept.join('\n'), count: kept.length, isCut: left > 1 }
  }
  const isEnough = kept.length > 1 || left === 0
  return { text: kept.join('\n'), count: isEnough ? kept.length : 0, isCut: left > 0 }
}

const MOST_LINE_BYTES = 8_000
