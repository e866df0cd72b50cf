import type { ReadableFormat } from '../../format.ts'
import { startPictures } from '../../pictures/transformer.ts'
import { pdfFormat } from './format.ts'
import { startPdfium } from './library/pdfium.ts'

/** Both libraries start in the process that reads a PDF, and in no other. */
export async function startPdf(): Promise<ReadableFormat> {
  await Promise.all([startPdfium(), startPictures()])
  return pdfFormat
}
