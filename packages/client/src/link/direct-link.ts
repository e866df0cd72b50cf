import type {
  AttachDirectly,
  CallRoute,
  LinkRequest,
  ReadSourceAtOnce,
  Result,
} from '@filewright/protocol'
import { answerer, type MethodTable } from './answerer.ts'
import type { Link } from './link.ts'

export interface DirectLinkOptions {
  readonly attach: AttachDirectly
  readonly handle: CallRoute
  readonly workspaceId: string
  readonly methods: MethodTable
  readonly readAtOnce?: ReadSourceAtOnce
  readonly onError: (error: unknown) => void
}

/** The link to a server in the same process: requests and answers are function calls. */
export async function openDirectLink(options: DirectLinkOptions): Promise<Result<Link>> {
  const { attach, handle, workspaceId, methods, readAtOnce, onError } = options
  const answer = answerer(methods, onError)
  const early: LinkRequest[] = []
  let take = (request: LinkRequest) => void early.push(request)
  const attached = await attach(workspaceId, request => take(request), { readAtOnce })
  if (!attached.ok) return attached
  const server = attached.value
  take = request => {
    answer(request).then(result => server.answer({ id: request.id, result }), onError)
  }
  for (const request of early) take(request)
  return {
    ok: true,
    value: {
      attached: Promise.resolve(),
      async tell(events) {
        await handle('linkEvents', { params: { workspaceId }, body: { events } })
      },
      async close() {
        server.detach()
      },
    },
  }
}
