import { PptxViewer, RECOMMENDED_ZIP_LIMITS } from '@aiden0z/pptx-renderer'

/** Every slide below the other. */
export async function drawSlides(
  bytes: Uint8Array<ArrayBuffer>,
  page: HTMLElement,
): Promise<number> {
  page.className = 'slides'
  page.replaceChildren()
  const viewer = await PptxViewer.open(bytes.buffer, page, {
    zipLimits: RECOMMENDED_ZIP_LIMITS,
    listOptions: { windowed: false },
  })
  return viewer.slideCount
}
