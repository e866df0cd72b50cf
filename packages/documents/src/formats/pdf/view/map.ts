import { counted, ok, type Result } from '@filewright/protocol'
import type { FileMap } from '../../../format.ts'
import type { OpenPdf } from '../library/with-document.ts'
import { describePages } from '../page/page-range.ts'
import { withPage } from '../page/page-view.ts'
import { extrasOf, type FormField, withForm } from './extras.ts'
import { type OutlineEntry, outlineOf } from './outline.ts'

const PAGES_LOOKED_AT = 40
const MOST_FIELDS = 200
const META = ['Title', 'Author', 'Subject'] as const

/** What a reader must know before pages are read. */
export function mapPdf(pdf: OpenPdf, path: string): Result<FileMap> {
  const { pageCount } = pdf
  const looked = lookAtPages(pdf)
  const { entries, isCut } = outlineOf(pdf)
  const meta = metaOf(pdf)
  const isEncrypted = pdf.pdfium.calls.EPDF_IsEncrypted(pdf.handle)
  const lines = [
    `${path}: PDF, ${counted(pageCount, 'page')}${looked.size ? `, the first ${looked.size}` : ''}${isEncrypted ? ', encrypted, but it opens without a password' : ''}`,
    ...Object.entries(meta).map(([name, value]) => `${name.toLowerCase()}: ${value}`),
    ...describeBlank(looked, pageCount),
    ...describeOutline(entries, isCut),
    ...looked.fields.map(({ name, type, value }) => `form field ${name} (${type}): ${value}`),
    'Read it with pages, such as "1-5".',
  ]
  return ok({
    text: lines.join('\n'),
    fields: {
      kind: 'pdf',
      pageCount,
      ...meta,
      isEncrypted,
      outline: entries,
      formFields: looked.fields,
      pagesWithoutText: looked.blank,
    },
  })
}

interface LookedAt {
  readonly size: string
  readonly blank: readonly number[]
  readonly fields: readonly FormField[]
}

function lookAtPages(pdf: OpenPdf): LookedAt {
  const blank: number[] = []
  const fields: FormField[] = []
  let size = ''
  withForm(pdf, form => {
    for (let page = 1; page <= Math.min(pdf.pageCount, PAGES_LOOKED_AT); page++)
      withPage(pdf, page, view => {
        const { calls } = pdf.pdfium
        const text = calls.FPDFText_LoadPage(view.page)
        if (!text || calls.FPDFText_CountChars(text) <= 0) blank.push(page)
        if (text) calls.FPDFText_ClosePage(text)
        if (page === 1) size = `${Math.round(view.width)} × ${Math.round(view.height)} points`
        if (fields.length < MOST_FIELDS) fields.push(...extrasOf(pdf, form, view).formFields)
      })
  })
  return { size, blank, fields: fields.slice(0, MOST_FIELDS) }
}

function metaOf({ pdfium, handle }: OpenPdf): Record<string, string> {
  const found = META.map(name => {
    const value = pdfium.text((buffer, bytes) =>
      pdfium.calls.FPDF_GetMetaText(handle, name, buffer, bytes),
    )
    return [name.toLowerCase(), value.trim().slice(0, 200)] as const
  })
  return Object.fromEntries(found.filter(([, value]) => value !== ''))
}

function describeBlank({ blank }: LookedAt, pageCount: number): string[] {
  if (blank.length === 0) return []
  const among = pageCount > PAGES_LOOKED_AT ? ` among the first ${PAGES_LOOKED_AT}` : ''
  return [`no text layer (probably scans)${among}: pages ${describePages(blank)}`]
}

function describeOutline(entries: readonly OutlineEntry[], isCut: boolean): string[] {
  if (entries.length === 0) return []
  const lines = entries.map(
    ({ title, level, page }) =>
      `${'  '.repeat(level - 1)}${title}${page === undefined ? '' : ` (page ${page})`}`,
  )
  return ['outline:', ...lines, ...(isCut ? ['…'] : [])]
}
