import {
  type ChangeSetSummary,
  counted,
  type Failure,
  type Result,
  type TakenBack,
  visible,
} from '@filewright/protocol'
import { useCallback, useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { naming } from '../parts/written.tsx'
import { usePolled } from '../use-polled.ts'
import { Rules } from './rules.tsx'

/** What was written, with the way back; and the rules that answer in the person's place. */
export function History({
  api,
  workspaceId,
  pulse,
  onChanged,
}: PaneProps & { onChanged: () => void }) {
  const ask = useCallback(
    () => api.call('listChangeSets', { params: { workspaceId } }),
    [api, workspaceId],
  )
  const { value, failure, reload } = usePolled(ask, pulse)
  const changeSets = value?.changeSets.filter(({ undoes }) => undoes === undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
    <div className="scrolls min-h-0 flex-1 px-4 py-4" tabIndex={0}>
      <section aria-label="Published" className="mx-auto max-w-measure">
        <h2 className="text-lg font-semibold">What was written</h2>
        {failure && failure.code !== 'SERVER_GONE' && <FailureNote failure={failure} />}
        {changeSets?.length === 0 && (
          <p className="mt-2 text-muted">
            Nothing yet. What you publish is listed here, and can be undone from here.
          </p>
        )}
        <ol className="mt-3 space-y-2">
          {changeSets?.map(changeSet => (
            <OneSet
              key={changeSet.changeSetId}
              {...{ api, workspaceId, changeSet }}
              isDone={isInEffect(changeSet, value?.changeSets ?? [])}
              onDone={() => {
                reload()
                onChanged()
              }}
            />
          ))}
        </ol>
      </section>
      <Rules {...{ api, workspaceId, pulse }} />
    </div>
  )
}

/** An undo that was undone counts for nothing. */
function isInEffect({ changeSetId }: ChangeSetSummary, all: readonly ChangeSetSummary[]): boolean {
  return all.find(each => each.changeSetId === changeSetId)?.isStanding ?? true
}

function FilesOfSet({ files, toolCallIds = [] }: Pick<ChangeSetSummary, 'files' | 'toolCallIds'>) {
  return (
    <details className="text-sm text-muted">
      <summary>
        {counted(files.length, 'file')}
        {toolCallIds.length > 0 && `, by ${counted(toolCallIds.length, 'call')} of the model`}
      </summary>
      <ul className="pt-1">
        {files.map(({ path, before, after }) => (
          <li key={path} className="keep-inside">
            <span className="font-mono text-ink">{visible(path)}</span>{' '}
            {before === null ? 'created' : after === null ? 'deleted' : 'changed'}
          </li>
        ))}
      </ul>
      {toolCallIds.length > 0 && (
        <p className="keep-inside pt-1 text-xs">Calls: {toolCallIds.join(', ')}</p>
      )}
    </details>
  )
}

function OneSet({
  api,
  workspaceId,
  changeSet: { changeSetId, label, time, files, toolCallIds },
  isDone,
  onDone,
}: {
  api: Api
  workspaceId: string
  changeSet: ChangeSetSummary
  isDone: boolean
  onDone: () => void
}) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [message, setMessage] = useState<string>()
  const take = async () => {
    setBusy(true)
    const way = isDone ? 'undo' : 'redo'
    const taken: Result<TakenBack> = await naming(named =>
      api.call(way, { params: { workspaceId }, body: { changeSetId, named } }),
    )
    setBusy(false)
    setFailure(taken.ok ? undefined : taken.failure)
    if (taken.ok) setMessage(isDone ? 'Undone.' : 'Redone.')
    onDone()
  }
  const title = label ?? `${counted(files.length, 'file')} written`
  return (
    <li className={`rounded-md border border-line bg-card px-3 py-2 ${isDone ? '' : 'text-muted'}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className={`keep-inside flex-1 text-sm font-medium ${isDone ? '' : 'line-through'}`}>
          {visible(title)}
        </h3>
        <When time={time} />
        <Button
          size="small"
          disabled={busy}
          aria-label={`${isDone ? 'Undo' : 'Redo'}: ${visible(title)}`}
          onClick={take}
        >
          {isDone ? 'Undo' : 'Redo'}
        </Button>
      </div>
      <FilesOfSet files={files} toolCallIds={toolCallIds} />
      <p role="status" className="text-sm empty:hidden">
        {message}
      </p>
      {failure && <FailureNote failure={failure} />}
    </li>
  )
}
