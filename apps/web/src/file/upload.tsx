import { type Applied, type Failure, type Result, visible } from '@filewright/protocol'
import { type ReactNode, useRef, useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'

/** Files of the person's own: written into the folder, one after the other, each a change set that can be undone. */
export function Upload({
  api,
  workspaceId,
  onWritten,
  children,
}: {
  api: Api
  workspaceId: string
  onWritten: () => void
  /** What else there is to do with all files. */
  children?: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const { send, progress, failure, message } = useUpload(api, workspaceId, onWritten)
  return (
    <section
      aria-label="Add files"
      className="flex-none border-t border-line px-3 py-2"
      onDragOver={event => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        send(Array.from(event.dataTransfer.files))
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          disabled={progress !== undefined}
          onClick={() => input.current?.click()}
        >
          Add files
        </Button>
        <span role="status" className="keep-inside text-xs text-muted">
          {progress ?? message ?? 'or drop them here'}
        </span>
        {children}
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={event => {
          send(Array.from(event.target.files ?? []))
          event.target.value = ''
        }}
      />
      {failure && <FailureNote failure={failure} />}
    </section>
  )
}

export function useUpload(api: Api, workspaceId: string, onWritten: () => void) {
  const [progress, setProgress] = useState<string>()
  const [message, setMessage] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const send = async (files: readonly File[]) => {
    setFailure(undefined)
    for (const [index, file] of files.entries()) {
      setProgress(`${visible(file.name)} (${index + 1} of ${files.length}) …`)
      const written = await putFile(api, workspaceId, file)
      if (written.ok) setMessage(`Added ${visible(file.name)}`)
      else setFailure(written.failure)
      if (!written.ok) break
    }
    setProgress(undefined)
    onWritten()
  }
  return { send, progress, message, failure }
}

/** A file of that name is replaced only after a yes. */
export async function putFile(api: Api, workspaceId: string, file: File): Promise<Result<Applied>> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const put = (replace?: 'true') =>
    api.call('putContent', { params: { workspaceId }, query: { path: file.name, replace }, bytes })
  const first = await put()
  if (first.ok || first.failure.code !== 'CONFLICT') return first
  if (!window.confirm(`Replace ${file.name}? You can undo it under History.`)) return first
  return put('true')
}
