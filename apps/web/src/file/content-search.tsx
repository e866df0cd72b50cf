import { type Result, visible } from '@filewright/protocol'
import { useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import { nameOf } from './file-tree.ts'

interface Match {
  readonly path: string
  /** As `line 12` or `Sales!B2`. */
  readonly place: string
  readonly text: string
}

/** What the files say, beside what they are called. */
export function ContentSearch({
  api,
  workspaceId,
  text,
  isAlone,
  onOpen,
}: {
  api: Api
  workspaceId: string
  text: string
  /** No name was found: what the files say has the place. */
  isAlone: boolean
  onOpen: (path: string) => void
}) {
  const [sought, setSought] = useState<{ text: string; found?: Result<readonly Match[]> }>()
  // an answer may come when something else is looked for already
  const { found } = sought?.text === text ? sought : {}
  const busy = sought?.text === text && !found
  const search = async () => {
    setSought({ text })
    const found = await searchContents(api, workspaceId, text)
    setSought(now => (now?.text === text ? { text, found } : now))
  }
  const matches = found?.ok ? found.value : undefined
  const failure = found?.ok === false ? found.failure : undefined
  return (
    <section
      aria-label="Search in files"
      className={`scrolls border-t border-line px-3 py-2 text-sm ${isAlone ? 'min-h-0 flex-1' : 'max-h-files flex-none'}`}
    >
      {matches === undefined && (
        <Button size="small" className="max-w-full truncate" disabled={busy} onClick={search}>
          {busy ? 'Searching …' : `Search “${visible(text)}” in files`}
        </Button>
      )}
      {failure && <FailureNote failure={failure} />}
      {matches?.length === 0 && <p className="text-muted">No file says “{visible(text)}”.</p>}
      <ul>
        {matches?.map(({ path, place, text: said }, index) => (
          <li key={index}>
            <button
              type="button"
              className="w-full rounded-sm px-1 py-0.5 text-left hover:bg-sunken"
              onClick={() => onOpen(path)}
            >
              <span className="block truncate font-medium" title={visible(path)}>
                {visible(nameOf(path))}
                <span className="font-normal text-muted"> {visible(place)}</span>
              </span>
              <span className="block truncate text-xs text-muted">{visible(said)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** With the tool that the model has, in the session that calls outside of a run use. */
async function searchContents(
  api: Api,
  workspaceId: string,
  query: string,
): Promise<Result<readonly Match[]>> {
  const params = { workspaceId }
  const session = await api.call('createSession', { params, body: { standing: true } })
  if (!session.ok) return session
  const called = await api.call('callTool', {
    params: { ...params, sessionId: session.value.sessionId },
    body: { tool: 'search_files', arguments: { query, limit: MOST } },
  })
  if (!called.ok) return called
  if ('pending' in called.value) return { ok: true, value: [] }
  const { success, message, errors, kind, errorCode, ...own } = called.value
  if (!success)
    return {
      ok: false,
      failure: { code: errorCode ?? '', kind: kind ?? 'internal', message, errors },
    }
  return { ok: true, value: toMatches(own) }
}

const MOST = 100

interface FoundFile {
  readonly path: string
  readonly hits?: readonly { readonly place: string; readonly text: string }[]
}

function toMatches({ files }: Readonly<Record<string, unknown>>): Match[] {
  const found = Array.isArray(files) ? (files as readonly FoundFile[]) : []
  return found.flatMap(({ path, hits = [] }) => hits.map(hit => ({ path, ...hit })))
}
