import type { Handle } from '../library/pdfium.ts'
import type { OpenPdf } from '../library/with-document.ts'
import type { PageView } from '../page/page-view.ts'

const MOST_ANNOTATIONS = 200 // of one page
const MOST_CHARACTERS = 500

export interface PageExtras {
  readonly links: readonly { readonly text: string; readonly url: string }[]
  readonly annotations: readonly { readonly kind: string; readonly text: string }[]
  readonly formFields: readonly FormField[]
}

export interface FormField {
  readonly name: string
  readonly type: string
  readonly value: string
}

const WIDGET = 20
const LINK = 2
const KINDS: Readonly<Record<number, string>> = {
  1: 'note',
  3: 'text',
  9: 'highlight',
  10: 'underline',
  11: 'squiggly underline',
  12: 'strikeout',
  13: 'stamp',
  14: 'caret',
  15: 'drawing',
}
const FIELD_TYPES: Readonly<Record<number, string>> = {
  1: 'button',
  2: 'checkbox',
  3: 'choice of one',
  4: 'combo box',
  5: 'list',
  6: 'text',
  7: 'signature',
}

/** Links, annotations and form fields of a page. */
export function extrasOf(pdf: OpenPdf, form: Handle, view: PageView): PageExtras {
  const { calls } = pdf.pdfium
  const extras = {
    links: [] as { text: string; url: string }[],
    annotations: [] as { kind: string; text: string }[],
    formFields: [] as FormField[],
  }
  const count = Math.min(calls.FPDFPage_GetAnnotCount(view.page), MOST_ANNOTATIONS)
  for (let index = 0; index < count; index++) {
    const annotation = calls.FPDFPage_GetAnnot(view.page, index)
    if (!annotation) continue
    const type = calls.FPDFAnnot_GetSubtype(annotation)
    if (type === WIDGET) addField(pdf, form, annotation, extras.formFields)
    else if (type === LINK) addLink(pdf, view, annotation, extras.links)
    else {
      const text = contentsOf(pdf, annotation)
      if (text !== '') extras.annotations.push({ kind: KINDS[type] ?? 'annotation', text })
    }
    calls.FPDFPage_CloseAnnot(annotation)
  }
  return extras
}

function contentsOf({ pdfium }: OpenPdf, annotation: Handle): string {
  return clip(
    pdfium.text((buffer, bytes) =>
      pdfium.calls.FPDFAnnot_GetStringValue(annotation, 'Contents', buffer, bytes),
    ),
  )
}

function addField(
  { pdfium }: OpenPdf,
  form: Handle,
  annotation: Handle,
  fields: FormField[],
): void {
  const { calls } = pdfium
  if (!form) return
  const name = pdfium.text((buffer, bytes) =>
    calls.FPDFAnnot_GetFormFieldName(form, annotation, buffer, bytes),
  )
  const type = FIELD_TYPES[calls.FPDFAnnot_GetFormFieldType(form, annotation)] ?? 'field'
  const isTicked = type === 'checkbox' || type === 'choice of one'
  const value = isTicked
    ? String(calls.FPDFAnnot_IsChecked(form, annotation))
    : pdfium.text((buffer, bytes) =>
        calls.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes),
      )
  fields.push({ name: clip(name), type, value: clip(value) })
}

function addLink(
  { pdfium, handle }: OpenPdf,
  view: PageView,
  annotation: Handle,
  links: { text: string; url: string }[],
): void {
  const { calls } = pdfium
  const link = calls.FPDFAnnot_GetLink(annotation)
  if (!link) return
  const action = calls.FPDFLink_GetAction(link)
  const url = action
    ? pdfium.bytesText((buffer, bytes) =>
        calls.FPDFAction_GetURIPath(handle, action, buffer, bytes),
      )
    : ''
  const target = calls.FPDFLink_GetDest(handle, link)
  const page = target ? calls.FPDFDest_GetDestPageIndex(handle, target) : -1
  const to = url !== '' ? url : page >= 0 ? `page ${page + 1}` : ''
  if (to !== '') links.push({ text: linkText(view, annotation), url: clip(to) })
}

function linkText(view: PageView, annotation: Handle): string {
  const { pdfium, page } = view
  const { calls } = pdfium
  const box = pdfium.floats(4, at => calls.FPDFAnnot_GetRect(annotation, at!))
  const text = box && calls.FPDFText_LoadPage(page)
  if (!box || !text) return ''
  const [left, bottom, right, top] = box as [number, number, number, number]
  // Characters here, not bytes; each call counts one for the end.
  const shown = pdfium.text(
    (buffer, bytes) =>
      2 * calls.FPDFText_GetBoundedText(text, left, top, right, bottom, buffer, bytes >> 1),
  )
  calls.FPDFText_ClosePage(text)
  return clip(shown.replace(/\s+/g, ' ').trim())
}

function clip(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`
}

/** The library tells the values of fields only to a program that could fill the form in. */
export function withForm<Value>({ pdfium, handle }: OpenPdf, work: (form: Handle) => Value): Value {
  const { calls } = pdfium
  const info = calls.PDFiumExt_OpenFormFillInfo()
  const form = info ? calls.PDFiumExt_InitFormFillEnvironment(handle, info) : 0
  try {
    return work(form)
  } finally {
    if (form) calls.PDFiumExt_ExitFormFillEnvironment(form)
    if (info) calls.PDFiumExt_CloseFormFillInfo(info)
  }
}
