import { useState } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../parts/button.tsx'
import TextPreview from './text-preview.tsx'

/** As it reads, or as it is written. */
export default function MarkdownPreview({ text }: { text: string }) {
  const [isSource, setSource] = useState(false)
  return (
    <>
      <div className="flex flex-none justify-end px-3 pt-2">
        <Button size="small" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
          {isSource ? 'Show as it reads' : 'Show its source'}
        </Button>
      </div>
      {isSource ? (
        <TextPreview path="source.md" text={text} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
        <div className="scrolls min-h-0 flex-1 px-6 pb-8" tabIndex={0}>
          <div className="mx-auto max-w-measure">
            <Markdown text={withoutFrontMatter(text)} />
          </div>
        </div>
      )}
    </>
  )
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '')
}
