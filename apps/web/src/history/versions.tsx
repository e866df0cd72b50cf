import { type ChangeSetSummary, type Result, visible } from '@filewright/protocol'
import { useCallback, useMemo, useState } from 'react'
import type { Api } from '../api.ts'
import { nameOf } from '../file/file-tree.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import { toSize } from '../parts/size.ts'
import { When } from '../parts/when.tsx'
import { download } from '../stage/use-content.ts'
import { useAsked } from '../use-polled.ts'

const ORIGINS = {
  'read-through': 'as it was read',
  upload: 'from another program',
  buffer: 'from an editor',
  'change-set': 'written by Filewright',
}

/** Every version of a file that is known, newest first. */
export function Versions({
  api,
  workspaceId,
  path,
}: {
  api: Api
  workspaceId: string
  path: string
}) {
  const ask = useCallback(
    () => api.call('history', { params: { workspaceId }, query: { path } }),
    [api, workspaceId, path],
  )
  const { value, failure } = useAsked(ask)
  const writers = useWriters(api, workspaceId)
  const unseen = firstBefore(path, value?.items ?? [], writers)
  const [problem, setProblem] = useState<string>()
  const get = async (sha256: string) => {
    const bytes = await api.bytes(workspaceId, sha256)
    if (bytes) download(bytes, nameOf(path))
    setProblem(bytes ? undefined : 'The bytes of this version are no longer kept.')
  }
  return (
    <section
      aria-label="Versions"
      className="max-h-files scrolls flex-none border-b border-line px-4 py-2 text-sm"
    >
      {failure && <FailureNote failure={failure} />}
      {problem && <p role="alert">{problem}</p>}
      {value?.items.length === 0 && (
        <p className="text-muted">
          No version was kept yet: the file was not read or written here.
        </p>
      )}
      <ol>
        {value?.items.map(({ sha256, time, sizeBytes, origin }, index) => (
          <li key={index} className="flex flex-wrap items-center gap-x-3 py-0.5">
            <When time={time} />
            <code className="text-xs">{sha256?.slice(0, 8) ?? 'deleted'}</code>
            <span className="keep-inside flex-1 text-muted">
              {ORIGINS[origin.kind]}
              {origin.changeSetId && describeWriter(writers.get(origin.changeSetId))}
              {sha256 && `, ${toSize(sizeBytes)}`}
            </span>
            {sha256 && (
              <Button size="small" kind="quiet" onClick={() => get(sha256)}>
                Download
              </Button>
            )}
          </li>
        ))}
        {unseen && <Unseen sha256={unseen} />}
      </ol>
    </section>
  )
}

function Unseen({ sha256 }: { sha256: string }) {
  return (
    <li className="py-0.5 text-muted">
      <code className="text-xs">{sha256.slice(0, 8)}</code> before Filewright first wrote it; undo
      under History brings it back
    </li>
  )
}

/** What a file was before it was first written here, where nobody read that version. */
function firstBefore(
  path: string,
  known: readonly { readonly sha256: string | null }[],
  writers: ReadonlyMap<string, Writer>,
): string | undefined {
  const oldest = [...writers.values()]
    .flatMap(({ time, files }) =>
      files.filter(file => file.path === path).map(({ before }) => ({ time, before })),
    )
    .toSorted((a, b) => (a.time < b.time ? -1 : 1))[0]
  const before = oldest?.before ?? undefined
  return known.some(({ sha256 }) => sha256 === before) ? undefined : before
}

/** What was written, and in which conversation, by the change set. */
interface Writer extends ChangeSetSummary {
  readonly conversation?: string
}

function useWriters(api: Api, workspaceId: string): ReadonlyMap<string, Writer> {
  const ask = useCallback(async (): Promise<Result<readonly Writer[]>> => {
    const params = { workspaceId }
    const listed = await api.call('listChangeSets', { params })
    if (!listed.ok) return listed
    const sessions = await api.call('listSessions', { params })
    if (!sessions.ok) return sessions
    const titles = new Map(sessions.value.sessions.map(each => [each.sessionId, each.title]))
    const value = listed.value.changeSets.map(each => ({
      ...each,
      conversation: titles.get(each.sessionId ?? ''),
    }))
    return { ok: true, value }
  }, [api, workspaceId])
  const { value } = useAsked(ask)
  return useMemo(() => new Map((value ?? []).map(each => [each.changeSetId, each])), [value])
}

function describeWriter(writer: Writer | undefined): string {
  if (!writer) return ''
  const { label, conversation, toolCallIds = [], undoes } = writer
  const what = label ? `: ${visible(label)}` : undoes ? ': an undo or redo' : ''
  const where = conversation ? `, in “${visible(conversation)}”` : ''
  const calls = toolCallIds.length > 0 ? `, by ${toolCallIds.join(', ')}` : ''
  return what + where + calls
}
