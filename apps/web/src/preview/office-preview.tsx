import { visible } from '@filewright/protocol'
import { useEffect, useRef, useState } from 'react'

/** What the frame says about itself. */
type FrameNotice =
  | { readonly type: 'ready' | 'drawn' | 'failed'; readonly pages?: number }
  | { readonly type: 'selected'; readonly words: string }

/**
 * Documents and slides are drawn in a frame of its own origin, which can load nothing and reach nothing: their renderers
 * insert styles of the file's author. It gets the bytes by message.
 */
export default function OfficePreview({
  kind,
  path,
  bytes,
  onSelect,
}: {
  kind: 'document' | 'slides'
  path: string
  bytes: Uint8Array<ArrayBuffer>
  onSelect: (words: string) => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState<'ready' | 'drawn' | 'failed'>('ready')
  const [pages, setPages] = useState<number>()
  const [isReady, setReady] = useState(false)
  const select = useRef(onSelect)
  select.current = onSelect
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<FrameNotice>) => {
      if (source !== frame.current?.contentWindow) return
      if (data.type === 'selected') return select.current(String(data.words))
      if (data.type === 'ready') setReady(true)
      else setState(data.type)
      setPages(data.pages)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    if (!isReady) return
    // a frame of an opaque origin has no name to send it to; it holds nothing but this file
    frame.current?.contentWindow?.postMessage({ kind, bytes: bytes.slice() }, '*')
  }, [isReady, kind, bytes])
  return (
    <>
      {state !== 'drawn' && (
        <p role="status" className="flex-none px-4 py-2 text-sm text-muted">
          {state === 'failed'
            ? 'This file cannot be drawn here. Download it to open it in its own program.'
            : 'Drawing …'}
        </p>
      )}
      {pages !== undefined && state === 'drawn' && (
        <p role="status" className="flex-none px-4 py-1 text-xs text-muted">
          {describePages(kind, pages)}
        </p>
      )}
      <iframe
        ref={frame}
        title={visible(path)}
        sandbox="allow-scripts"
        src="/frame.html"
        className="min-h-0 w-full flex-1 bg-sunken"
      />
    </>
  )
}

function describePages(kind: 'document' | 'slides', pages: number): string {
  const count = pages === 1 ? 'One' : pages
  const end = pages === 1 ? '' : 's'
  return kind === 'slides'
    ? `${count} slide${end}. Its own program may lay it out a little differently.`
    : `${count} page${end}. Its own program may lay it out on more: pages end here where the file says so.`
}
