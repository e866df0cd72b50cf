import { visible } from '@filewright/protocol'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, TextLayer } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'

GlobalWorkerOptions.workerSrc = workerUrl

/** Pages below each other, each drawn when it comes near. */
export default function PdfPreview({
  path,
  bytes,
}: {
  path: string
  bytes: Uint8Array<ArrayBuffer>
}) {
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    // it takes the bytes away: a copy stays
    const task = getDocument({ data: bytes.slice(), isEvalSupported: false, enableXfa: false })
    task.promise.then(setPdf, () => setProblem('This PDF cannot be shown. Download it instead.'))
    return () => void task.destroy()
  }, [bytes])
  if (problem) return <p className="p-6 text-sm text-muted">{problem}</p>
  return (
    <section
      aria-label={`${visible(path)}, ${pdf?.numPages ?? 0} pages`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
      tabIndex={0}
      className="scrolls min-h-0 flex-1 bg-sunken p-4"
    >
      {!pdf && <p className="text-sm text-muted">Loading …</p>}
      {pdf &&
        Array.from({ length: pdf.numPages }, (_, index) => (
          <PdfPage key={index} file={pdf} number={index + 1} />
        ))}
    </section>
  )
}

const USUAL_RATIO = 1.4 // of a page that was not measured yet
const MOST_WIDTH = 880

function PdfPage({ file, number }: { file: PDFDocumentProxy; number: number }) {
  const box = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '800px',
    })
    seen.observe(box.current!)
    return () => seen.disconnect()
  }, [])
  useEffect(() => {
    if (!isNear) return
    let isGone = false
    const draw = async () => {
      const page = await file.getPage(number)
      const target = canvas.current
      if (isGone || !target || !box.current || !text.current) return
      const width = Math.min(MOST_WIDTH, box.current.clientWidth)
      const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width })
      const sharp = window.devicePixelRatio
      target.width = viewport.width * sharp
      target.height = viewport.height * sharp
      box.current.style.height = `${viewport.height}px`
      target.style.width = `${viewport.width}px`
      await page.render({
        canvas: target,
        viewport,
        transform: [sharp, 0, 0, sharp, 0, 0],
      }).promise
      text.current.replaceChildren()
      const layer = new TextLayer({
        textContentSource: await page.getTextContent(),
        container: text.current,
        viewport,
      })
      if (!isGone) await layer.render()
    }
    draw().catch(() => {}) // it was taken away while it was drawn
    return () => {
      isGone = true
    }
  }, [file, number, isNear])
  return (
    <section
      ref={box}
      aria-label={`Page ${number}`}
      className="relative mx-auto mb-4 w-full max-w-measure bg-card shadow-float"
      style={isNear ? undefined : { aspectRatio: `1 / ${USUAL_RATIO}` }}
    >
      <canvas ref={canvas} className="block max-w-full" />
      <div ref={text} className="pdf-text" />
    </section>
  )
}
