import { type Failure, type Rule, visible } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { usePolled } from '../use-polled.ts'

const EFFECTS: Readonly<Record<Rule['effect'], string>> = {
  read: 'may be read',
  write: 'may be written without asking',
  deny: 'is never written',
  ask: 'is always asked about',
  scan: 'This folder may be scanned as a whole',
  instructions: 'is given to the model as instructions',
  call: 'may be called as it is defined now',
}

/** The rules of this folder, in words, each to be taken away. */
export function Rules({ api, workspaceId, pulse }: PaneProps) {
  const ask = useCallback(
    () => api.call('listRules', { params: { workspaceId } }),
    [api, workspaceId],
  )
  const { value, reload } = usePolled(ask, pulse)
  const [failure, setFailure] = useState<Failure>()
  const remove = async (ruleId: string) => {
    const removed = await api.call('removeRule', { params: { workspaceId, ruleId } })
    setFailure(removed.ok ? undefined : removed.failure)
    reload()
  }
  return (
    <section aria-label="Rules" className="mx-auto mt-8 max-w-measure">
      <h2 className="text-lg font-semibold">Rules</h2>
      {failure && <FailureNote failure={failure} />}
      {value?.length === 0 && (
        <p className="mt-2 text-muted">
          None. You are asked before a file is written, unless you make a rule when you are asked.
        </p>
      )}
      <ul className="mt-3 space-y-1">
        {value?.map(rule => (
          <li
            key={rule.id}
            className="flex flex-wrap items-center gap-x-3 rounded-md border border-line bg-card px-3 py-1.5 text-sm"
          >
            <span className="keep-inside flex-1">{describeRule(rule)}</span>
            <When time={rule.time} />
            <Button
              size="small"
              kind="danger"
              aria-label={`Revoke: ${describeRule(rule)}`}
              onClick={() => remove(rule.id)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A rule in a sentence. */
export function describeRule({
  effect,
  path,
  tool,
  sessionId,
}: Pick<Rule, 'effect' | 'path' | 'tool' | 'sessionId'>): string {
  if (effect === 'scan') return `${EFFECTS.scan}.`
  const what = path === undefined ? 'Every file' : visible(path)
  const by = tool === undefined ? '' : ` by ${visible(tool)}`
  return `${what} ${EFFECTS[effect]}${by}${sessionId === undefined ? '' : ', in one conversation'}.`
}
