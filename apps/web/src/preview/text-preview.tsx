import { visible } from '@filewright/protocol'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { type CodePiece, toCodeLines } from './highlight.ts'
import { endingOf } from './preview-of.ts'

const LINE_REM = 1.25
const OVERSCAN = 30

/** Lines with their numbers; only those in view are in the document. */
export default function TextPreview({ path, text }: { path: string; text: string }) {
  const box = useRef<HTMLElement>(null)
  const lines = useMemo(() => toCodeLines(text, endingOf(path)), [text, path])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () =>
      LINE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    overscan: OVERSCAN,
  })
  return (
    <section
      ref={box}
      aria-label="Text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
      tabIndex={0}
      className="scrolls min-h-0 flex-1 bg-card py-2 font-mono text-sm"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className="absolute inset-x-0 top-0 flex"
            style={{ transform: `translateY(${start}px)` }}
          >
            <span className="w-gutter flex-none pr-3 text-right text-muted select-none">
              {index + 1}
            </span>
            <span className="keep-inside flex-1 pr-4 whitespace-pre-wrap">
              <Pieces pieces={lines[index]!} />
            </span>
          </div>
        ))}
      </div>
    </section>
  )
}

function Pieces({ pieces }: { pieces: readonly CodePiece[] }) {
  if (pieces.length === 0) return '\u200b'
  return pieces.map(({ text, look }, index) => (
    <span key={index} className={look}>
      {visible(text)}
    </span>
  ))
}
