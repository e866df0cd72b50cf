import { visible } from '@filewright/protocol'
import { useCallback } from 'react'
import type { PaneProps } from '../parts/pane.ts'
import { Section } from '../parts/section.tsx'
import { toSize } from '../parts/size.ts'
import { usePolled } from '../use-polled.ts'

export function Files({ api, workspaceId, pulse }: PaneProps) {
  const ask = useCallback(() => api.files(workspaceId), [api, workspaceId])
  const polled = usePolled(ask, pulse)
  return (
    <Section
      title="Files"
      polled={polled}
      empty={({ files }) => (files.length === 0 ? 'This folder is empty.' : undefined)}
    >
      {({ files, total }) => (
        <>
          <ul className="text-sm">
            {files.map(({ path, sizeBytes, folded, isPrivate }) => (
              <li
                key={path}
                className="flex items-baseline justify-between gap-4 border-b border-line py-1"
              >
                <span className="min-w-0 break-words">{visible(path)}</span>
                <span className="whitespace-nowrap text-muted tabular-nums">
                  {folded ? `${folded.files} files` : isPrivate ? 'private' : toSize(sizeBytes)}
                </span>
              </li>
            ))}
          </ul>
          {total > files.length && (
            <p className="mt-2 text-sm text-muted">
              The first {files.length} of {total} files.
            </p>
          )}
        </>
      )}
    </Section>
  )
}
