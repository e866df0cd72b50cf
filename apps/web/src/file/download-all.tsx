import type { Failure, FileEntry } from '@filewright/protocol'
import { useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import { toSize } from '../parts/size.ts'
import { download, readContent } from '../stage/use-content.ts'
import { toZip, type ZipFile } from './zip.ts'

const MOST_BYTES = 1_000_000_000 // of what a tab can hold

/** Every file as it is published, in one archive; key files stay where they are. */
export function DownloadAll({
  api,
  workspaceId,
  files,
}: {
  api: Api
  workspaceId: string
  files: readonly FileEntry[]
}) {
  const [progress, setProgress] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const wanted = files.filter(
    ({ folded, isPrivate, modified }) => !folded && !isPrivate && modified !== '',
  )
  const size = wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const pack = async () => {
    const packed: ZipFile[] = []
    for (const [index, { path }] of wanted.entries()) {
      setProgress(`${index + 1} of ${wanted.length} …`)
      const { content, failure: problem } = await readContent(api, { workspaceId, path })
      setFailure(problem)
      if (!content) return setProgress(undefined)
      packed.push({ path, bytes: content.bytes })
    }
    download(toZip(packed), 'workspace.zip')
    setProgress(undefined)
  }
  if (wanted.length === 0 || size > MOST_BYTES) return null
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        disabled={progress !== undefined}
        aria-label={`Download all files as a zip, ${toSize(size)}`}
        onClick={pack}
      >
        {progress ?? 'Download all'}
      </Button>
      {failure && <FailureNote failure={failure} />}
    </>
  )
}
