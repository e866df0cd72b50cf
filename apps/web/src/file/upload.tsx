import { type Applied, counted, type Failure, type Result, visible } from '@filewright/protocol'
import { type ReactNode, useRef, useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import { type GivenFile, givenFiles } from './given-files.ts'

/** Files of the person's own: chosen here, or dropped anywhere on the list of files. */
export function Upload({
  upload: { send, progress, failure, message },
  children,
}: {
  upload: Uploading
  /** What else there is to do with all files. */
  children?: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <section aria-label="Add files" className="flex-none border-t border-line px-3 py-2">
      {progress && (
        <progress
          aria-label="Files added"
          className="block h-1 w-full accent-accent"
          value={progress.done}
          max={progress.of}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          disabled={progress !== undefined}
          onClick={() => input.current?.click()}
        >
          Add files
        </Button>
        <span role="status" className="keep-inside text-xs text-muted">
          {progress
            ? `${visible(progress.path)} (${progress.done + 1} of ${progress.of}) …`
            : (message ?? 'or drop them here')}
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
          send(givenFiles(event.target.files ?? []))
          event.target.value = ''
        }}
      />
      {failure && <FailureNote failure={failure} />}
    </section>
  )
}

export type Uploading = ReturnType<typeof useUpload>

/** They are written one after the other, each a change set that can be undone. */
export function useUpload(api: Api, workspaceId: string, onWritten: () => void) {
  const [progress, setProgress] = useState<{ path: string; done: number; of: number }>()
  const [message, setMessage] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const send = async (files: readonly GivenFile[]) => {
    if (files.length === 0) return
    setFailure(undefined)
    setMessage(undefined)
    let done = 0
    for (const { path, file } of files) {
      setProgress({ path, done, of: files.length })
      const written = await putFile(api, workspaceId, file, path)
      if (!written.ok) {
        setFailure(written.failure)
        break
      }
      done++
    }
    if (done > 0)
      setMessage(done === 1 ? `Added ${visible(files[0]!.path)}` : `Added ${counted(done, 'file')}`)
    setProgress(undefined)
    onWritten()
  }
  return { send, progress, message, failure }
}

/** A file of that name is replaced only after a yes. */
export async function putFile(
  api: Api,
  workspaceId: string,
  file: File,
  path = file.name,
): Promise<Result<Applied>> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const put = (replace?: 'true') =>
    api.call('putContent', { params: { workspaceId }, query: { path, replace }, bytes })
  const first = await put()
  if (first.ok || first.failure.code !== 'CONFLICT') return first
  if (!window.confirm(`Replace ${path}? You can undo it under History.`)) return first
  return put('true')
}
