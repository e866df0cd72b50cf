import type { Approval, Failure } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import type { Api } from '../api.ts'
import { Changes } from '../change/changes.tsx'
import { Button } from '../parts/button.tsx'
import { FailureNote, Section, Warnings } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { usePolled } from '../use-polled.ts'

export function Approvals({ api, workspaceId }: { api: Api; workspaceId: string }) {
  const polled = usePolled(useCallback(() => api.approvals(workspaceId), [api, workspaceId]))
  return (
    <Section
      title="Waiting for you"
      polled={polled}
      empty={approvals => (approvals.length === 0 ? 'Nothing waits for a decision.' : undefined)}
    >
      {approvals =>
        approvals.map(approval => (
          <ApprovalCard
            key={approval.id}
            approval={approval}
            decide={decision => api.decide(workspaceId, approval.id, decision)}
            onDecided={polled.reload}
          />
        ))
      }
    </Section>
  )
}

function ApprovalCard({
  approval,
  decide,
  onDecided,
}: {
  approval: Approval
  decide: (decision: Parameters<Api['decide']>[2]) => ReturnType<Api['decide']>
  onDecided: () => void
}) {
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const { changes } = approval
  const accepted = changes.length - refused.size

  const answer = async (decision: 'approved' | 'denied') => {
    setBusy(true)
    const result = await decide({
      decision,
      refused: decision === 'approved' ? [...refused].map(changeId => ({ changeId })) : undefined,
    })
    setBusy(false)
    if (result.ok) onDecided()
    else setFailure(result.failure)
  }

  return (
    <article aria-label={approval.label} className="mb-8">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-medium">{approval.label}</h3>
        <When time={approval.time} />
      </div>
      {approval.description && <p className="mt-1 text-muted">{approval.description}</p>}
      <Warnings warnings={approval.warnings} />
      <Changes changes={changes} refused={refused} onRefused={setRefused} />
      {failure && <FailureNote failure={failure} />}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" disabled={busy || accepted === 0} onClick={() => answer('approved')}>
          {refused.size === 0 ? 'Approve' : `Approve ${accepted} of ${changes.length}`}
        </Button>
        <Button kind="danger" disabled={busy} onClick={() => answer('denied')}>
          Deny
        </Button>
      </div>
    </article>
  )
}
