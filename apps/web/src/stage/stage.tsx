import { counted, type DraftSummary, visible } from '@filewright/protocol'
import { type ReactNode, useId } from 'react'
import { nameOf } from '../file/file-tree.ts'
import { History } from '../history/history.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { Review } from '../review/review.tsx'
import type { Say } from '../run/said.ts'
import { FileView } from './file-view.tsx'
import type { StageView } from './shown.ts'
import { Start } from './start.tsx'

/** The middle of the page: a file, the changes of a draft, what was written, or where to begin. */
export function Stage({
  shown,
  onShow,
  lastFile,
  drafts,
  onChanged,
  onSay,
  ...pane
}: PaneProps & {
  shown: StageView
  onShow: (shown: StageView) => void
  /** Its tab stays while something else is looked at. */
  lastFile: string | undefined
  drafts: readonly DraftSummary[]
  /** Something was written or discarded. */
  onChanged: () => void
  /** Puts words into the message that is being written. */
  onSay: Say
}) {
  const panel = useId()
  const changes = drafts.reduce((sum, { files }) => sum + files.length, 0)
  return (
    <>
      <div
        role="tablist"
        aria-label="Stage"
        className="flex flex-none gap-1 overflow-x-auto border-b border-line bg-card px-2 pt-1"
      >
        <StageTabs {...{ shown, lastFile, changes, panel }} onShow={onShow} />
      </div>
      <div
        id={panel}
        role="tabpanel"
        aria-label={shown.kind}
        className="flex min-h-0 flex-1 flex-col"
      >
        {shown.kind === 'start' && <Start {...pane} onSay={onSay} />}
        {shown.kind === 'file' && (
          <FileView key={shown.path} {...pane} {...{ drafts, onSay, onShow }} path={shown.path} />
        )}
        {shown.kind === 'changes' && <Review {...pane} {...{ drafts, onChanged, onShow, onSay }} />}
        {shown.kind === 'history' && <History {...pane} onChanged={onChanged} />}
      </div>
    </>
  )
}

function StageTabs({
  shown,
  lastFile,
  changes,
  panel,
  onShow,
}: {
  shown: StageView
  lastFile: string | undefined
  changes: number
  panel: string
  onShow: (shown: StageView) => void
}) {
  return (
    <>
      <Tab panel={panel} isOn={shown.kind === 'start'} onClick={() => onShow({ kind: 'start' })}>
        Start
      </Tab>
      {lastFile !== undefined && (
        <Tab
          panel={panel}
          isOn={shown.kind === 'file'}
          onClick={() => onShow({ kind: 'file', path: lastFile })}
        >
          {visible(nameOf(lastFile))}
        </Tab>
      )}
      <Tab
        panel={panel}
        isOn={shown.kind === 'changes'}
        onClick={() => onShow({ kind: 'changes' })}
      >
        Changes{' '}
        {changes > 0 && (
          <span className="ml-1.5 rounded-full bg-accent px-1.5 text-xs text-on-accent">
            {changes}
            <span className="sr-only"> {counted(changes, 'file').replace(/^\d+ /, '')}</span>
          </span>
        )}
      </Tab>
      <Tab
        panel={panel}
        isOn={shown.kind === 'history'}
        onClick={() => onShow({ kind: 'history' })}
      >
        History
      </Tab>
    </>
  )
}

function Tab({
  isOn,
  panel,
  onClick,
  children,
}: {
  isOn: boolean
  panel: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      role="tab"
      aria-selected={isOn}
      aria-controls={panel}
      className={`max-w-files flex-none truncate rounded-t-md border-b-2 px-3 py-2 text-sm ${isOn ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-ink'}`}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
