import type { Applied, ExecutedFile, Failure, Result } from '@filewright/protocol'
import { visible } from '@filewright/protocol'
import { useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from './button.tsx'
import { FailureNote } from './section.tsx'

/** What a person's answer led to, with the way back where files were written. */
export type Written = {
  readonly message: string
  readonly warnings: readonly string[]
  readonly isUndone: boolean
  readonly undo?: () => Promise<Result<Applied>>
  readonly redo?: () => Promise<Result<Applied>>
}

/** Offers to undo what was written from a draft, and to redo it. */
export function wayBack(
  api: Api,
  workspaceId: string,
  draftId: string,
): Pick<Written, 'undo' | 'redo'> {
  const asked = (named?: string[]) => ({ params: { workspaceId }, body: { draftId, named } })
  return {
    undo: () => naming(named => api.call('undo', asked(named))),
    redo: () => naming(named => api.call('redo', asked(named))),
  }
}

/** Asks about each file that other programs execute, and tries again with those that the person names. */
export async function naming<Value>(
  act: (named?: string[]) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const first = await act()
  const waiting = first.ok ? [] : ((first.failure.details?.executed ?? []) as ExecutedFile[])
  const areNamed = waiting.every(({ path, why }) => window.confirm(`${why} Write ${path}?`))
  return waiting.length > 0 && areNamed ? act(waiting.map(({ path }) => path)) : first
}

/** The buttons that were used are gone: the focus moves here. */
export function WrittenNote({
  written,
  onChange,
}: {
  written: Written
  onChange: (written: Written) => void
}) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const { message, warnings, isUndone, undo, redo } = written
  const act = isUndone ? redo : undo

  const takeBack = async () => {
    setBusy(true)
    const taken = await act!()
    setBusy(false)
    setFailure(taken.ok ? undefined : taken.failure)
    if (!taken.ok) return
    const paths = taken.value.files.map(({ path }) => path).join(', ')
    onChange({
      ...written,
      message: `${isUndone ? 'Redone' : 'Undone'}: ${paths}.`,
      warnings: taken.value.warnings,
      isUndone: !isUndone,
    })
  }

  return (
    <div ref={focus} tabIndex={-1} className="mt-3 text-sm">
      <p role="status" className="break-words">
        {visible([message, ...warnings].join(' '))}
      </p>
      {failure && <FailureNote failure={failure} />}
      {act && (
        <div className="mt-2">
          <Button disabled={busy} onClick={takeBack}>
            {isUndone ? 'Redo' : 'Undo'}
          </Button>
        </div>
      )}
    </div>
  )
}

function focus(note: HTMLElement | null): void {
  note?.focus({ preventScroll: true })
}
