import './frame.css'

/** The file to draw, as the page sends it. */
interface Drawing {
  readonly kind: 'document' | 'slides'
  readonly bytes: Uint8Array<ArrayBuffer>
}

const page = document.getElementById('page')
if (!page) throw new Error('frame.html has no #page')

window.addEventListener('message', ({ source, data }: MessageEvent<Drawing>) => {
  if (source === parent && data?.bytes) draw(data)
})
tell({ type: 'ready' })

async function draw({ kind, bytes }: Drawing): Promise<void> {
  try {
    const { drawDocument } = await import('./draw-document.ts')
    const { drawSlides } = await import('./draw-slides.ts')
    const pages = await (kind === 'document' ? drawDocument : drawSlides)(bytes, page!)
    tell({ type: 'drawn', pages })
  } catch (error) {
    console.warn(String(error))
    tell({ type: 'failed' })
  }
}

/** The frame does not know the origin of its page, and says nothing of the file. */
function tell(notice: object): void {
  parent.postMessage(notice, '*')
}
