import { memo } from 'react'
import type { Api } from './api.ts'
import { Approvals } from './approval/approvals.tsx'
import { Drafts } from './draft/drafts.tsx'
import { Files } from './file/files.tsx'
import { Instructions } from './file/instructions.tsx'
import { RecentLog } from './log/recent-log.tsx'
import { Ask } from './run/ask.tsx'
import { useSession } from './run/use-session.ts'

/** The person's request comes first, then what waits for them; the files are next to it. */
export function WorkspacePage({ api, workspaceId }: { api: Api; workspaceId: string }) {
  const session = useSession(api, workspaceId)
  const part = { api, workspaceId, pulse: session.view.pulse }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div>
        <Instructions {...part} />
        <Ask session={session} api={api} workspaceId={workspaceId} />
        <Rest {...part} />
      </div>
      <aside aria-label="Files of the workspace">
        <FilesBeside {...part} />
      </aside>
    </div>
  )
}

type Part = {
  readonly api: Api
  readonly workspaceId: string
  /** Another one when the run did something that shows elsewhere. */
  readonly pulse: number
}

// text that streams changes nothing here
const FilesBeside = memo(Files)
const Rest = memo((part: Part) => (
  <>
    <Approvals {...part} />
    <Drafts {...part} />
    <RecentLog {...part} />
  </>
))
