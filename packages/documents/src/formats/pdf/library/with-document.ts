import { fail, type Result } from '@filewright/protocol'
import { type Handle, type Pdfium, restartPdfium, takePdfium } from './pdfium.ts'

export interface OpenPdf {
  readonly pdfium: Pdfium
  readonly handle: Handle
  readonly pageCount: number
}

const PASSWORD_ERROR = 4
const SECURITY_ERROR = 5
const MOST_PAGES = 100_000

type Refused = 'UNREADABLE_FORMAT' | 'ENCRYPTED' | 'TOO_LARGE' | 'INTERNAL_ERROR'

/**
 * Opens the file for one call and closes it again: opening takes a few milliseconds, and the library's memory never
 * holds more than one file.
 */
export function withDocument<Value, Code extends string>(
  bytes: Uint8Array,
  path: string,
  work: (pdf: OpenPdf) => Result<Value, Code>,
): Result<Value, Code | Refused> {
  const pdfium = takePdfium()
  if (!pdfium)
    return fail(
      'INTERNAL_ERROR',
      `Cannot read "${path}": the reader of PDFs is starting again. Try once more.`,
    )
  try {
    return openAndWork(pdfium, bytes, path, work)
  } catch (error) {
    if (!isTrap(error)) throw error
    restartPdfium()
    return fail(
      'UNREADABLE_FORMAT',
      `Cannot read "${path}": it is damaged so badly that the reader of PDFs gave up. Ask the person for another copy.`,
    )
  }
}

function openAndWork<Value, Code extends string>(
  pdfium: Pdfium,
  bytes: Uint8Array,
  path: string,
  work: (pdf: OpenPdf) => Result<Value, Code>,
): Result<Value, Code | Refused> {
  const { calls } = pdfium
  const memory = pdfium.allocate(bytes.length)
  pdfium.put(bytes, memory)
  const handle = calls.FPDF_LoadMemDocument(memory, bytes.length, '')
  try {
    if (!handle) return refuse(path, calls.FPDF_GetLastError())
    const pageCount = calls.FPDF_GetPageCount(handle)
    if (pageCount < 1 || pageCount > MOST_PAGES)
      return fail('UNREADABLE_FORMAT', `Cannot read "${path}": it is a PDF without readable pages.`)
    return work({ pdfium, handle, pageCount })
  } finally {
    if (handle) calls.FPDF_CloseDocument(handle)
    pdfium.free(memory)
    pdfium.close()
  }
}

function refuse(path: string, error: number): Result<never, Refused> {
  if (error === PASSWORD_ERROR)
    return fail(
      'ENCRYPTED',
      `Cannot read "${path}": it is encrypted and needs a password. Ask the person for a copy without one.`,
    )
  if (error === SECURITY_ERROR)
    return fail(
      'ENCRYPTED',
      `Cannot read "${path}": it is encrypted in a way that is not supported. Ask the person for a copy without a password.`,
    )
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot read "${path}": it is not a PDF, or it is damaged. Ask the person for another copy.`,
  )
}

/** The library is WebAssembly: where native code would crash, it throws. */
function isTrap(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'RuntimeError' || /\b(aborted|memory access)\b/i.test(error.message)
}
