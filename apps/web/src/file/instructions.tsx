import { type Failure, type InstructionFile, visible } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { More, useMore } from '../parts/more.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote } from '../parts/section.tsx'
import { type Written, WrittenNote } from '../parts/written.tsx'
import { useAsked } from '../use-polled.ts'

/** A large tree may have one in every folder. */
const SHOWN = 3

/** Files that tell agents how to work here: a model gets none before a person has read it and said yes. */
export function Instructions({ api, workspaceId, pulse }: PaneProps) {
  const ask = useCallback(
    () => api.call('listInstructions', { params: { workspaceId }, query: { nested: 'true' } }),
    [api, workspaceId],
  )
  const { value, reload } = useAsked<{ files: readonly InstructionFile[] }>(ask, pulse)
  const [failure, setFailure] = useState<Failure>()
  const [allowed, setAllowed] = useState<Written>()
  const asked = (value?.files ?? []).filter(({ isAllowed }) => !isAllowed)
  const { shown, left, showMore } = useMore(asked, SHOWN)
  const allow = async ({ path, sha256 }: InstructionFile) => {
    const body = { effect: 'instructions', path, sha256 } as const
    const added = await api.call('addRule', { params: { workspaceId }, body })
    setFailure(added.ok ? undefined : added.failure)
    const message = `${path} is given to the model from your next message on.`
    setAllowed(added.ok ? { message, warnings: [], isUndone: false } : undefined)
    reload()
  }
  return (
    <div className="max-h-80 scrolls flex-none px-4 pt-2 empty:hidden">
      {shown.map(file => (
        <details
          key={`${file.docPath} ${file.sha256}`}
          className="mb-3 rounded-md border border-line bg-card px-3 py-2 text-sm"
        >
          <summary className="cursor-pointer">
            <span className="font-mono">{visible(file.path)}</span> has instructions for agents. The
            model does not get them unless you allow it.
          </summary>
          <pre
            className="my-2 max-h-60 overflow-y-auto rounded-md bg-paper px-3 py-2 break-words whitespace-pre-wrap"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
            tabIndex={0}
          >
            {visible(file.text)}
          </pre>
          <div className="flex flex-wrap items-baseline gap-x-3">
            <Button onClick={() => allow(file)}>Allow these instructions</Button>
            <span className="text-muted">You are asked again when the file changes.</span>
          </div>
        </details>
      ))}
      <More left={left} of="instruction file" onMore={showMore} />
      {failure && <FailureNote failure={failure} />}
      {allowed && <WrittenNote key={allowed.message} written={allowed} onChange={setAllowed} />}
    </div>
  )
}
