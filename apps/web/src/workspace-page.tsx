import type { Api } from './api.ts'
import { Approvals } from './approval/approvals.tsx'
import { Drafts } from './draft/drafts.tsx'
import { Files } from './file/files.tsx'
import { RecentLog } from './log/recent-log.tsx'
import { Ask } from './run/ask.tsx'

/** What a person asks for comes first, then what waits for them; what is there stands beside it. */
export function WorkspacePage({ api, workspaceId }: { api: Api; workspaceId: string }) {
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div>
        <Ask api={api} workspaceId={workspaceId} />
        <Approvals api={api} workspaceId={workspaceId} />
        <Drafts api={api} workspaceId={workspaceId} />
        <RecentLog api={api} workspaceId={workspaceId} />
      </div>
      <aside aria-label="Files of the workspace">
        <Files api={api} workspaceId={workspaceId} />
      </aside>
    </div>
  )
}
