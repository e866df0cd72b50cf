import { renderAsync } from 'docx-preview'

const MARGIN = 48 // pixels beside a page

/** A Word document as pages, as wide as the frame has room for. */
export async function drawDocument(
  bytes: Uint8Array<ArrayBuffer>,
  page: HTMLElement,
): Promise<number> {
  await renderAsync(bytes, page, undefined, {
    className: 'docx',
    inWrapper: true,
    breakPages: true,
    ignoreLastRenderedPageBreak: false,
    renderHeaders: true,
    renderFooters: true,
    renderFootnotes: true,
    renderEndnotes: true,
    renderChanges: true,
    renderAltChunks: false, // a page of somebody else's inside the document
    useBase64URL: true,
  })
  const pages = page.querySelectorAll<HTMLElement>('section.docx')
  const fit = () => {
    page.style.zoom = '1'
    const widest = Math.max(1, ...Array.from(pages, each => each.offsetWidth))
    page.style.zoom = String(Math.min(1, innerWidth / (widest + MARGIN)))
  }
  fit()
  window.addEventListener('resize', fit)
  return pages.length
}
