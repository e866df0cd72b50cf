import type { Failure } from '@filewright/protocol'
import { useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'

/** The yes to a home folder, a disk's root or a very large tree; it is remembered as a rule. */
export function AllowScan({
  api,
  workspaceId,
  onAllowed,
}: {
  api: Api
  workspaceId: string
  onAllowed: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const allow = async () => {
    setAsking(true)
    const added = await api.call('addRule', {
      params: { workspaceId },
      body: { effect: 'scan' },
    })
    setAsking(false)
    setFailure(added.ok ? undefined : added.failure)
    if (added.ok) onAllowed()
  }
  return (
    <div className="mt-3">
      <Button onClick={allow} disabled={isAsking}>
        Scan all of it
      </Button>
      <p className="mt-1 text-sm text-muted">
        Filewright will not ask about this folder again; “filewright rules” withdraws this.
      </p>
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}
