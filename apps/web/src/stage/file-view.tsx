import { type DraftFileSummary, type DraftSummary, visible } from '@filewright/protocol'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { describeKind } from '../file/file-kind.ts'
import { nameOf } from '../file/file-tree.ts'
import { Versions } from '../history/versions.tsx'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote } from '../parts/section.tsx'
import { toSize } from '../parts/size.ts'
import { Preview } from '../preview/preview.tsx'
import type { StageView } from './shown.ts'
import { type ContentState, download, type FileContent, useContent } from './use-content.ts'

/** One file, and which of its states this is: the draft's or the published one. */
export function FileView({
  api,
  workspaceId,
  pulse,
  path,
  drafts,
  onSay,
  onShow,
}: PaneProps & {
  path: string
  drafts: readonly DraftSummary[]
  onSay: (words: string) => void
  onShow: (shown: StageView) => void
}) {
  const draft = drafts.find(({ files }) =>
    files.some(file => file.path === path && file.action !== 'deleted'),
  )
  const drafted = draft?.files.find(file => file.path === path)
  const [wanted, setWanted] = useState<ShownState>('draft')
  const [hasVersions, setVersions] = useState(false)
  const [selected, setSelected] = useState<string>()
  const place = useRef<HTMLElement>(null)
  useSelectedText(place, setSelected)
  const state = statesOf(draft, drafted).includes(wanted) ? wanted : statesOf(draft, drafted)[0]!
  const draftId = state === 'published' ? undefined : draft?.id
  const of = { api, workspaceId, path, pulse: `${pulse} ${draft?.revision}` }
  const { content, failure, isLoading } = useContent(
    api,
    { workspaceId, path, draftId },
    `${pulse} ${draft?.revision}`,
  )
  const one = { ...of, draftId, content, failure, isLoading, onSelect: setSelected }
  return (
    <section ref={place} aria-label={visible(path)} className="flex min-h-0 flex-1 flex-col">
      <FileHead
        {...{ path, content, state, hasVersions }}
        states={statesOf(draft, drafted)}
        onState={setWanted}
        onReview={() => onShow({ kind: 'changes' })}
        onAsk={() => onSay(askAbout(path, selected))}
        onVersions={() => setVersions(!hasVersions)}
      />
      <Leaving {...{ drafts, path, onShow }} />
      {hasVersions && <Versions {...{ api, workspaceId, path }} />}
      {state === 'both' ? (
        <div className="grid min-h-0 flex-1 grid-rows-2 wide:grid-cols-2 wide:grid-rows-1">
          <Published {...of} onSelect={setSelected} />
          <Side title="Draft">
            <Content {...one} />
          </Side>
        </div>
      ) : (
        <Content {...one} />
      )}
    </section>
  )
}

/** A file that the draft takes away is still there, and looks like any other. */
function Leaving({
  drafts,
  path,
  onShow,
}: {
  drafts: readonly DraftSummary[]
  path: string
  onShow: (shown: StageView) => void
}) {
  const files = drafts.flatMap(draft => draft.files)
  const isDeleted = files.some(file => file.path === path && file.action === 'deleted')
  const moved = files.find(file => file.action === 'moved' && file.from === path)
  if (!isDeleted && !moved) return null
  return (
    <p className="flex flex-none flex-wrap items-center gap-x-3 bg-note px-4 py-1 text-sm text-note-ink">
      <span className="keep-inside">
        {moved
          ? `The draft moves this file to ${visible(moved.path)}.`
          : 'The draft deletes this file.'}{' '}
        This is the published one.
      </span>
      <Button size="small" onClick={() => onShow({ kind: 'changes' })}>
        Review
      </Button>
    </p>
  )
}

type ShownState = 'draft' | 'published' | 'both'

/** What there is to see of a file; the first is shown. */
function statesOf(
  draft: DraftSummary | undefined,
  drafted: DraftFileSummary | undefined,
): readonly ShownState[] {
  if (!draft) return ['published']
  return drafted?.action === 'created' ? ['draft'] : ['draft', 'published', 'both']
}

interface ContentPlace extends Pick<PaneProps, 'api' | 'workspaceId'> {
  readonly path: string
  readonly pulse: string
  readonly onSelect: (words: string) => void
}

/** The published state, beside that of the draft. */
function Published(of: ContentPlace) {
  const { api, workspaceId, path, pulse } = of
  const state = useContent(api, { workspaceId, path }, pulse)
  return (
    <Side title="Published">
      <Content {...of} {...state} draftId={undefined} />
    </Side>
  )
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="flex min-h-0 min-w-0 flex-col border-line not-first:border-t wide:not-first:border-t-0 wide:not-first:border-l"
    >
      <h3 className="flex-none bg-sunken px-4 py-1 text-xs font-medium">{title}</h3>
      {children}
    </section>
  )
}

function Content({
  api,
  workspaceId,
  path,
  draftId,
  content,
  failure,
  isLoading,
  onSelect,
}: ContentPlace & ContentState & { draftId: string | undefined }) {
  if (failure)
    return (
      <div className="px-4">
        <FailureNote failure={failure} />
      </div>
    )
  if (!content) return isLoading ? <p className="p-4 text-sm text-muted">Loading …</p> : null
  return <Preview {...{ path, content, onSelect }} cells={{ api, workspaceId, draftId }} />
}

interface FileHeadProps {
  readonly path: string
  readonly content: FileContent | undefined
  readonly state: ShownState
  readonly states: readonly ShownState[]
  readonly hasVersions: boolean
  readonly onState: (state: ShownState) => void
  readonly onReview: () => void
  readonly onAsk: () => void
  readonly onVersions: () => void
}

/** What is shown, and what can be done with it. */
function FileHead(props: FileHeadProps) {
  const { path, content, state, states, hasVersions } = props
  const { onState, onReview, onAsk, onVersions } = props
  const isDrafted = states.includes('draft')
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
      <h2
        className={`keep-inside flex-1 basis-full text-sm font-semibold ${isDrafted ? '' : 'wide:basis-0'}`}
      >
        {visible(path)}{' '}
        <span className="ml-1 font-normal whitespace-nowrap text-muted">
          {content && toSize(content.bytes.length)}
          <span className="sr-only">, {describeKind(path)}</span>
        </span>
      </h2>
      {isDrafted && <Which {...{ state, states, onState }} />}
      {isDrafted && (
        <Button size="small" onClick={onReview}>
          Review
        </Button>
      )}
      <Button size="small" kind="quiet" onClick={onAsk}>
        Ask about it
      </Button>
      <Button size="small" kind="quiet" aria-pressed={hasVersions} onClick={onVersions}>
        Versions
      </Button>
      <Button
        size="small"
        kind="quiet"
        disabled={!content}
        onClick={() => content && download(content.bytes, nameOf(path))}
      >
        Download
      </Button>
    </header>
  )
}

/** Text of this file that is selected; words elsewhere on the page are not meant. */
function useSelectedText(
  place: RefObject<HTMLElement | null>,
  onSelected: (words: string) => void,
): void {
  useEffect(() => {
    const look = () => {
      const selection = getSelection()
      const words = selection?.toString().trim()
      if (words && place.current?.contains(selection?.anchorNode ?? null)) onSelected(words)
    }
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [place, onSelected])
}

const MOST_SAID = 2000

function askAbout(path: string, selected: string | undefined): string {
  const quoted = selected
    ?.slice(0, MOST_SAID)
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n')
  return quoted ? `In @${path}:\n${quoted}\n\n` : `@${path} `
}

const STATES: readonly (readonly [ShownState, string, string])[] = [
  ['draft', 'Draft', 'bg-note text-note-ink'],
  ['published', 'Published', 'bg-accent-soft'],
  ['both', 'Side by side', 'bg-accent-soft'],
]

/** Plain to see, and a click away from the other. */
function Which({
  state,
  states,
  onState,
}: {
  state: ShownState
  states: readonly ShownState[]
  onState: (state: ShownState) => void
}) {
  return (
    <fieldset className="flex overflow-hidden rounded-md border border-line text-xs">
      <legend className="sr-only">Which state is shown</legend>
      {STATES.map(([own, word, look]) => (
        <button
          key={own}
          type="button"
          aria-pressed={state === own}
          disabled={!states.includes(own)}
          className={`px-2 py-0.5 disabled:opacity-50 ${state === own ? `font-medium ${look}` : 'text-muted hover:text-ink'}`}
          onClick={() => onState(own)}
        >
          {word}
        </button>
      ))}
    </fieldset>
  )
}
