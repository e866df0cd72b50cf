import type { Failure, WorkspaceSummary } from '@filewright/protocol'
import { useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'

/** A folder of this machine that nobody has open any more, as after a restart: it is opened where it was. */
export function OpenAgain({
  api,
  workspace: { place },
  onOpened,
}: {
  api: Api
  workspace: WorkspaceSummary
  onOpened: (workspaceId: string) => void
}) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  if (!place || !isPath(place)) return null
  const open = async () => {
    setBusy(true)
    const opened = await api.call('openFolder', { body: { path: place } })
    setBusy(false)
    setFailure(opened.ok ? undefined : opened.failure)
    if (opened.ok) onOpened(opened.value.workspaceId)
  }
  return (
    <div className="mt-2">
      <Button disabled={busy} onClick={open}>
        Open it
      </Button>
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}

/** A folder of another machine has a name here, and no path. */
function isPath(place: string): boolean {
  return /^(?:\/|[A-Za-z]:\\)/.test(place)
}
