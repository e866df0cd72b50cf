import { type DraftFileSummary, type DraftSummary, visible } from '@filewright/protocol'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { nameOf } from '../file/file-tree.ts'
import { Versions } from '../history/versions.tsx'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote } from '../parts/section.tsx'
import { toSize } from '../parts/size.ts'
import { Preview } from '../preview/preview.tsx'
import type { StageView } from './shown.ts'
import { download, type FileContent, useContent } from './use-content.ts'

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
  const [wantsPublished, setWantsPublished] = useState(false)
  const [hasVersions, setVersions] = useState(false)
  const [selected, setSelected] = useState<string>()
  const place = useRef<HTMLElement>(null)
  useSelectedText(place, setSelected)
  const isDraft = draft !== undefined && (!wantsPublished || drafted?.action === 'created')
  const draftId = isDraft ? draft.id : undefined
  const { content, failure, isLoading } = useContent(
    api,
    { workspaceId, path, draftId },
    `${pulse} ${draft?.revision}`,
  )
  return (
    <section ref={place} aria-label={visible(path)} className="flex min-h-0 flex-1 flex-col">
      <FileHead
        {...{ path, content, isDraft, hasVersions }}
        drafted={drafted}
        onDraft={isOn => setWantsPublished(!isOn)}
        onReview={() => onShow({ kind: 'changes' })}
        onAsk={() => onSay(askAbout(path, selected))}
        onVersions={() => setVersions(!hasVersions)}
      />
      {failure && (
        <div className="px-4">
          <FailureNote failure={failure} />
        </div>
      )}
      {!content && isLoading && <p className="p-4 text-sm text-muted">Loading …</p>}
      {hasVersions && <Versions {...{ api, workspaceId, path }} />}
      {content && !failure && (
        <Preview
          {...{ path, content }}
          cells={{ api, workspaceId, draftId }}
          onSelect={setSelected}
        />
      )}
    </section>
  )
}

interface FileHeadProps {
  readonly path: string
  readonly content: FileContent | undefined
  readonly drafted: DraftFileSummary | undefined
  readonly isDraft: boolean
  readonly hasVersions: boolean
  readonly onDraft: (isDraft: boolean) => void
  readonly onReview: () => void
  readonly onAsk: () => void
  readonly onVersions: () => void
}

/** What is shown, and what can be done with it. */
function FileHead(props: FileHeadProps) {
  const { path, content, drafted, isDraft, hasVersions } = props
  const { onDraft, onReview, onAsk, onVersions } = props
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
      <h2 className="keep-inside flex-1 basis-full text-sm font-semibold wide:basis-0">
        {visible(path)}
        <span className="ml-2 font-normal text-muted">
          {content && toSize(content.bytes.length)}
        </span>
      </h2>
      {drafted && (
        <Which isDraft={isDraft} hasPublished={drafted.action !== 'created'} onDraft={onDraft} />
      )}
      {drafted && (
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

/** Plain to see, and a click away from the other. */
function Which({
  isDraft,
  hasPublished,
  onDraft,
}: {
  isDraft: boolean
  hasPublished: boolean
  onDraft: (isDraft: boolean) => void
}) {
  const choices = [
    { isOwn: true, word: 'Draft', look: 'bg-note text-note-ink' },
    { isOwn: false, word: 'Published', look: 'bg-accent-soft' },
  ]
  return (
    <fieldset className="flex overflow-hidden rounded-md border border-line text-xs">
      <legend className="sr-only">Which state is shown</legend>
      {choices.map(({ isOwn, word, look }) => (
        <button
          key={word}
          type="button"
          aria-pressed={isDraft === isOwn}
          disabled={!isOwn && !hasPublished}
          className={`px-2 py-0.5 disabled:opacity-50 ${isDraft === isOwn ? `font-medium ${look}` : 'text-muted hover:text-ink'}`}
          onClick={() => onDraft(isOwn)}
        >
          {word}
        </button>
      ))}
    </fieldset>
  )
}
