import { lazy, Suspense } from 'react'
import { ImagePreview } from './image-preview.tsx'
import { type PreviewKind, previewOf } from './preview-of.ts'
import type { PreviewProps } from './preview-props.ts'
import { decodeText } from './text-of.ts'

const TextPreview = lazy(() => import('./text-preview.tsx'))
const TablePreview = lazy(() => import('./table-preview.tsx'))
const SheetPreview = lazy(() => import('./sheet-preview.tsx'))
const PdfPreview = lazy(() => import('./pdf-preview.tsx'))
const OfficePreview = lazy(() => import('./office-preview.tsx'))
const MarkdownPreview = lazy(() => import('./markdown-preview.tsx'))

const LARGE = 8 * 1024 * 1024 // of text that is drawn whole

/** A file as a person would see it in its own program, or why not. */
export function Preview(props: PreviewProps) {
  if (props.content.bytes.length === 0) return <Unshown reason="This file is empty." />
  const kind = previewOf(props.path, props.content.bytes)
  return (
    <Suspense fallback={<p className="p-4 text-sm text-muted">Loading the preview …</p>}>
      <OneKind kind={kind} {...props} />
    </Suspense>
  )
}

function OneKind({ kind, ...props }: PreviewProps & { kind: PreviewKind }) {
  const { path, content } = props
  const isText = kind === 'text' || kind === 'markdown' || kind === 'table'
  if (isText && content.bytes.length > LARGE)
    return <Unshown reason="It is too large to be drawn here. Download it to read all of it." />
  switch (kind) {
    case 'markdown':
      return <MarkdownPreview text={decodeText(content.bytes)} />
    case 'text':
      return <TextPreview path={path} text={decodeText(content.bytes)} />
    case 'table':
      return <TablePreview path={path} text={decodeText(content.bytes)} onSelect={props.onSelect} />
    case 'sheet':
      return <SheetPreview {...props} />
    case 'image':
      return <ImagePreview path={path} bytes={content.bytes} />
    case 'pages':
      return <PdfPreview path={path} bytes={content.bytes} />
    case 'document':
    case 'slides':
      return <OfficePreview {...{ kind, path }} bytes={content.bytes} onSelect={props.onSelect} />
    case 'none':
      return (
        <Unshown reason="There is no preview for this kind of file. Download it to open it in its own program." />
      )
  }
}

export function Unshown({ reason }: { reason: string }) {
  return <p className="p-6 text-sm text-muted">{reason}</p>
}
