import type { Failure, WorkspaceSummary } from '@filewright/protocol'
import { type FormEvent, useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'

const FIELD = 'min-w-40 flex-1 rounded-md border border-field bg-card px-3 py-1.5 text-sm'
const MOST_LETTERS = 200

/** A workspace whose files are on the server: all that a person with a browser alone needs. */
export function NewWorkspace({ api, onMade }: { api: Api; onMade: (workspaceId: string) => void }) {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const make = async (withSample: boolean) => {
    setBusy(true)
    const given = name.trim()
    const made = await api.call('createWorkspace', { body: given ? { name: given } : {} })
    const problem = !made.ok
      ? made.failure
      : withSample
        ? await (await import('./sample.ts')).putSample(api, made.value.workspaceId)
        : undefined
    setBusy(false)
    setFailure(problem)
    if (made.ok) onMade(made.value.workspaceId)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void make(false)
  }
  return (
    <section aria-label="New workspace" className="mt-4">
      <form className="flex flex-wrap gap-2" onSubmit={submit}>
        <input
          aria-label="Name of the new workspace"
          placeholder="Name"
          className={FIELD}
          autoComplete="off"
          maxLength={MOST_LETTERS}
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <Button disabled={busy}>New workspace</Button>
        <Button type="button" disabled={busy} onClick={() => make(true)}>
          New one with sample files
        </Button>
      </form>
      {failure && <FailureNote failure={failure} />}
    </section>
  )
}

/** Renames and deletes one: each in two steps, the second of which says what will happen. */
export function KeptHere({
  api,
  workspace: { workspaceId, name },
  onChanged,
}: {
  api: Api
  workspace: WorkspaceSummary
  onChanged: () => void
}) {
  const [asking, setAsking] = useState<'rename' | 'delete'>()
  const [failure, setFailure] = useState<Failure>()
  const params = { workspaceId }
  const finish = (failed: Failure | undefined) => {
    setFailure(failed)
    if (failed) return
    setAsking(undefined)
    onChanged()
  }
  const rename = async (given: string) => {
    const done = await api.call('renameWorkspace', { params, body: { name: given } })
    finish(done.ok ? undefined : done.failure)
  }
  const remove = async () => {
    const done = await api.call('deleteWorkspace', { params })
    finish(done.ok ? undefined : done.failure)
  }
  return (
    <div className="mt-1 flex flex-wrap items-center justify-end gap-2">
      {asking === 'rename' && <NewName name={name} onName={rename} />}
      {asking === 'delete' && (
        <p className="flex-1 text-sm">
          This deletes its files, their versions and its conversations for good. Download what you
          need first.{' '}
          <Button size="small" onClick={remove}>
            Delete all of it
          </Button>
        </p>
      )}
      {asking ? (
        <Button size="small" kind="quiet" onClick={() => setAsking(undefined)}>
          Cancel
        </Button>
      ) : (
        <Deeds name={name} onAsk={setAsking} />
      )}
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}

function NewName({ name, onName }: { name: string; onName: (given: string) => void }) {
  const [given, setGiven] = useState(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onName(given.trim())
  }
  return (
    <form className="flex flex-1 flex-wrap gap-2" onSubmit={submit}>
      <input
        aria-label={`New name of ${name}`}
        className={FIELD}
        autoComplete="off"
        maxLength={MOST_LETTERS}
        value={given}
        onChange={event => setGiven(event.target.value)}
      />
      <Button size="small" disabled={given.trim() === ''}>
        Rename
      </Button>
    </form>
  )
}

function Deeds({ name, onAsk }: { name: string; onAsk: (what: 'rename' | 'delete') => void }) {
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        aria-label={`Rename ${name}`}
        onClick={() => onAsk('rename')}
      >
        Rename
      </Button>
      <Button
        size="small"
        kind="quiet"
        aria-label={`Delete ${name}`}
        onClick={() => onAsk('delete')}
      >
        Delete
      </Button>
    </>
  )
}
