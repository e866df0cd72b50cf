import { counted, type FileEntry, visible } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import { More } from '../parts/more.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { Section } from '../parts/section.tsx'
import { toSize } from '../parts/size.ts'
import { usePolled } from '../use-polled.ts'
import { AllowScan } from './allow-scan.tsx'
import { dragPath } from './dragged-file.ts'
import { LeftOut } from './left-out.tsx'

const FIRST = 200
/** What the server gives at once: beyond it a file is found by its name. */
const MOST = 2000
/** So many are seen at a glance. */
const FEW = 20

export function Files({ api, workspaceId, pulse }: PaneProps) {
  const [named, setNamed] = useState('')
  const [limit, setLimit] = useState(FIRST)
  const ask = useCallback(async () => {
    const page = await api.call('listFiles', {
      params: { workspaceId },
      query: { limit, named: named || undefined },
    })
    return page.ok ? { ok: true as const, value: { ...page.value, named } } : page
  }, [api, workspaceId, named, limit])
  const polled = usePolled(ask, pulse)
  const { value } = polled
  const isAsked = polled.failure?.details?.question !== undefined
  const isSought = named !== '' || (value?.total ?? 0) > FEW
  const find = (name: string) => {
    setNamed(name.trimStart())
    setLimit(FIRST)
  }
  return (
    <Section
      title="Files"
      polled={polled}
      note={
        isAsked ? (
          <AllowScan api={api} workspaceId={workspaceId} onAllowed={polled.reload} />
        ) : isSought ? (
          <FindByName named={named} onNamed={find} />
        ) : undefined
      }
      empty={({ files, named, leftOut }) => {
        if (files.length > 0 || (leftOut && !named)) return undefined
        return named ? `No file has “${visible(named)}” in its name.` : 'This folder is empty.'
      }}
    >
      {({ files, total, leftOut, named: answered }) => (
        <div aria-busy={answered !== named} className={answered === named ? '' : 'opacity-60'}>
          <ul className="text-sm">
            {files.map(file => (
              <FileLine key={file.path} file={file} />
            ))}
          </ul>
          {limit < MOST ? (
            <More
              left={total - files.length}
              of="file"
              onMore={() => setLimit(Math.min(limit * 2, MOST))}
            />
          ) : (
            total > files.length && (
              <p className="mt-2 text-sm text-muted">
                The first {files.length} of {total} files: find others by their name.
              </p>
            )
          )}
          {leftOut && !answered && <LeftOut leftOut={leftOut} />}
        </div>
      )}
    </Section>
  )
}

function FindByName({ named, onNamed }: { named: string; onNamed: (name: string) => void }) {
  return (
    <input
      type="search"
      aria-label="Find a file by its name"
      placeholder="Find by name"
      className="mt-3 w-full rounded-md border border-field bg-card px-3 py-1.5 text-sm"
      value={named}
      onChange={event => onNamed(event.target.value)}
    />
  )
}

function FileLine({ file: { path, sizeBytes, folded, isPrivate } }: { file: FileEntry }) {
  const size = isPrivate ? 'private' : toSize(sizeBytes)
  return (
    <li
      draggable={!folded}
      onDragStart={({ dataTransfer }) => dragPath(dataTransfer, path)}
      className="flex items-baseline justify-between gap-4 border-b border-line py-1"
    >
      <span className="min-w-0 break-words">{visible(path)}</span>
      <span className="whitespace-nowrap text-muted tabular-nums">
        {folded ? counted(folded.files, 'file') : size}
      </span>
    </li>
  )
}
