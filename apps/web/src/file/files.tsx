import {
  type DraftSummary,
  type FileEntry,
  type FilePage,
  type Result,
  visible,
} from '@filewright/protocol'
import { type DragEvent, useCallback, useMemo, useState } from 'react'
import type { Api } from '../api.ts'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote } from '../parts/section.tsx'
import { type Polled, usePolled } from '../use-polled.ts'
import { AllowScan } from './allow-scan.tsx'
import { ContentSearch } from './content-search.tsx'
import { DownloadAll } from './download-all.tsx'
import { FileRows, type FolderToggles } from './file-rows.tsx'
import { droppedFiles } from './given-files.ts'
import { LeftOut } from './left-out.tsx'
import { Upload, useUpload } from './upload.tsx'

const PAGE = 2000 // what the server gives at once
const MOST = 20_000 // the rest is found by its name

/** The files of the workspace: a tree, found by name or by content, with what a draft changes in them. */
export function Files({
  api,
  workspaceId,
  pulse,
  drafts,
  shown,
  onOpen,
}: PaneProps & {
  drafts: readonly DraftSummary[]
  /** The path that is on the stage. */
  shown: string | undefined
  onOpen: (path: string) => void
}) {
  const [sought, setSought] = useState('')
  const folders = useState<ReadonlyMap<string, boolean>>(new Map())
  const polled = useFiles({ api, workspaceId, pulse }, sought)
  const { value, failure } = polled
  const isAsked = failure?.details?.question !== undefined
  const marks = useMemo(() => marksOf(drafts), [drafts])
  const entries = useMemo(
    () => withDrafted(value?.files ?? [], drafts, sought),
    [value, drafts, sought],
  )
  const isOwn = failure && failure.code !== 'SERVER_GONE' && failure.code !== 'TOKEN_REFUSED'
  const upload = useUpload(api, workspaceId, polled.reload)
  const { isOver, ...place } = useDropped(upload.send)
  return (
    <div
      className={`flex min-h-0 flex-1 flex-col ${isOver ? 'bg-accent-soft outline-2 -outline-offset-2 outline-accent' : ''}`}
      {...place}
    >
      <FindFile sought={sought} onSought={setSought} />
      <div className="px-3">
        {isOwn && <FailureNote failure={failure} />}
        {isAsked && <AllowScan {...{ api, workspaceId }} onAllowed={polled.reload} />}
      </div>
      <FileList
        {...{ polled, entries, sought, marks, shown, folders, onOpen }}
        isBusy={value !== undefined && value.sought !== sought}
      />
      {value && sought.trim() !== '' && (
        <ContentSearch
          {...{ api, workspaceId, onOpen }}
          text={sought.trim()}
          isAlone={entries.length === 0}
        />
      )}
      {value?.leftOut && sought === '' && (
        <div className="max-h-files flex-none overflow-y-auto border-t border-line px-3 py-2">
          <LeftOut leftOut={value.leftOut} />
        </div>
      )}
      <Upload upload={upload}>
        {sought === '' && <DownloadAll {...{ api, workspaceId }} files={value?.files ?? []} />}
      </Upload>
    </div>
  )
}

/** Files from elsewhere are dropped anywhere on the list. */
function useDropped(send: (files: Awaited<ReturnType<typeof droppedFiles>>) => void) {
  const [isOver, setOver] = useState(false)
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
  }
  const onDrop = async (event: DragEvent) => {
    setOver(false)
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    send(await droppedFiles(event.dataTransfer))
  }
  return { isOver, onDragOver, onDragLeave, onDrop }
}

function FindFile({ sought, onSought }: { sought: string; onSought: (sought: string) => void }) {
  return (
    <div className="flex flex-none flex-col gap-2 border-b border-line px-3 py-2">
      <input
        type="search"
        aria-label="Find a file by its name"
        placeholder="Find files"
        className="w-full rounded-md border border-field bg-card px-2 py-1 text-sm"
        value={sought}
        onChange={event => onSought(event.target.value)}
      />
    </div>
  )
}

function FileList({
  polled: { value, failure },
  entries,
  sought,
  isBusy,
  ...rows
}: {
  polled: Polled<Found>
  entries: readonly FileEntry[]
  sought: string
  isBusy: boolean
  marks: ReadonlyMap<string, string>
  shown: string | undefined
  folders: FolderToggles
  onOpen: (path: string) => void
}) {
  if (value === undefined)
    return (
      <p className="min-h-0 flex-1 px-3 py-2 text-sm text-muted">{failure ? '' : 'Loading …'}</p>
    )
  if (entries.length === 0)
    return (
      <p
        className={`px-3 py-2 text-sm text-muted ${sought.trim() === '' ? 'min-h-0 flex-1' : 'flex-none'}`}
      >
        {sought !== ''
          ? `No file has “${visible(sought)}” in its name.`
          : value.leftOut
            ? ''
            : 'This folder is empty. Drop files here to begin.'}
      </p>
    )
  return (
    <>
      <FileRows {...rows} entries={entries} isBusy={isBusy} isFlat={sought !== ''} />
      {value.total > entries.length && (
        <p className="flex-none px-3 py-1 text-xs text-muted">
          The first {entries.length} of {value.total} files: find others by their name.
        </p>
      )}
    </>
  )
}

type Found = FilePage & { readonly sought: string }

function useFiles({ api, workspaceId, pulse }: PaneProps, sought: string): Polled<Found> {
  const ask = useCallback(
    () => listAll(api, workspaceId, sought.trimStart()),
    [api, workspaceId, sought],
  )
  return usePolled(ask, pulse)
}

async function listAll(api: Api, workspaceId: string, sought: string): Promise<Result<Found>> {
  const files: FileEntry[] = []
  for (let after: string | undefined; ; ) {
    const page = await api.call('listFiles', {
      params: { workspaceId },
      query: { limit: PAGE, after, named: sought || undefined },
    })
    if (!page.ok) return page
    files.push(...page.value.files)
    after = page.value.next ?? undefined
    if (after === undefined || files.length >= MOST)
      return { ok: true, value: { ...page.value, files, sought } }
  }
}

/** What a draft does to a file, by docPath. */
function marksOf(drafts: readonly DraftSummary[]): ReadonlyMap<string, string> {
  return new Map(
    drafts.flatMap(({ files }) =>
      files.flatMap(({ docPath, action, from }): [string, string][] => [
        ...(action === 'moved' && from ? [[from.toLowerCase(), 'left'] as [string, string]] : []),
        [docPath, action],
      ]),
    ),
  )
}

/** Files that only a draft has are in the tree, too. */
function withDrafted(
  files: readonly FileEntry[],
  drafts: readonly DraftSummary[],
  sought: string,
): readonly FileEntry[] {
  const there = new Set(files.map(({ docPath }) => docPath))
  const created = drafts.flatMap(draft =>
    draft.files.filter(
      ({ docPath, action }) =>
        (action === 'created' || action === 'moved') &&
        !there.has(docPath) &&
        docPath.includes(sought.trim().toLowerCase()),
    ),
  )
  if (created.length === 0) return files
  const added = created.map(({ path, docPath }) => ({
    path,
    docPath,
    sizeBytes: 0,
    modified: '',
    version: null,
  }))
  return [...files, ...added].sort((a, b) => (a.path < b.path ? -1 : 1))
}
