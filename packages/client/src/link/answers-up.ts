import type { LinkAnswer, LinkRequest, Result, RouteClient } from '@filewright/protocol'

/**
 * Sends answers up: each request is answered once, however often it comes, and no answer is lost while the server is
 * away.
 */
export interface AnswersUp {
  take(request: LinkRequest): Promise<void>
  /** Sends waiting answers: the server is back. */
  post(): Promise<void>
}

export interface AnswersUpOptions {
  readonly server: RouteClient
  readonly workspaceId: string
  readonly answer: (request: LinkRequest) => Promise<Result<unknown>>
  readonly onError: (error: unknown) => void
}

const RETRY_MS = 1_000
const MOST_KEPT = 200 // a server that comes back repeats the requests it has no answer to

export function createAnswersUp(options: AnswersUpOptions): AnswersUp {
  const { server, workspaceId, answer, onError } = options
  const answered = new Map<string, LinkAnswer>()
  const underWay = new Set<string>()
  const outbox: LinkAnswer[] = []
  let isPosting = false

  async function take(request: LinkRequest) {
    if (underWay.has(request.id)) return
    outbox.push(answered.get(request.id) ?? (await answerOnce(request)))
    await post()
  }

  async function answerOnce(request: LinkRequest): Promise<LinkAnswer> {
    underWay.add(request.id)
    const own = { id: request.id, result: await answer(request) }
    underWay.delete(request.id)
    answered.set(request.id, own)
    if (answered.size > MOST_KEPT) answered.delete(answered.keys().next().value!)
    return own
  }

  /** Answers that are ready together go up together. */
  async function post() {
    if (isPosting) return
    isPosting = true
    try {
      while (outbox.length > 0) await send(outbox.splice(0))
    } finally {
      isPosting = false
    }
  }

  /** A failed post is sent again. */
  async function send(answers: readonly LinkAnswer[]) {
    const call = { params: { workspaceId }, body: { answers } }
    const again = () => {
      outbox.unshift(...answers)
      setTimeout(() => post().catch(onError), RETRY_MS).unref()
    }
    const response = await server.open('linkAnswers', call).catch(error => {
      again()
      throw error
    })
    await response.body?.cancel()
    if (response.status >= 500) again() // what is between here and the workspace's instance is away for a moment
    if (!response.ok)
      throw new Error(
        `The server answered ${response.status} when sent the answers to its requests`,
      )
  }

  return { take, post }
}
