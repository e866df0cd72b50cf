import './frame.css'

/** The file to draw, as the page sends it. */
interface Drawing {
  readonly kind: 'document' | 'slides'
  readonly bytes: Uint8Array<ArrayBuffer>
}

const MOST_SAID = 2000 // characters

const page = document.getElementById('page')
if (!page) throw new Error('frame.html has no #page')

window.addEventListener('message', ({ source, data }: MessageEvent<Drawing>) => {
  if (source === parent && data?.bytes) draw(data)
})
// what a person selects, for a question about it
document.addEventListener('selectionchange', () => {
  const words = String(getSelection() ?? '').trim()
  if (words) tell({ type: 'selected', words: words.slice(0, MOST_SAID) })
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

/** The frame does not know the origin of its page: it says only how far it is, and what the person selects. */
function tell(notice: object): void {
  parent.postMessage(notice, '*')
}
