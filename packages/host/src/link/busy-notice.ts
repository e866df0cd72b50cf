import type { Fetch } from './caller.ts'

const LOOK_MS = 500
const ANSWER_MS = 500

export interface BusyNotice {
  /** Any request that a process with nothing to do answers at once. */
  readonly probe: () => Promise<unknown>
  readonly say: (sentence: string) => void
}

/**
 * Says once that nobody answers, a second after a request was sent: a process that waits in silence looks broken. A call
 * that takes long is no reason, nor is one that waits for a person: the owner answers others meanwhile.
 */
export function noticingBusy(fetch: Fetch, { probe, say }: BusyNotice): Fetch {
  let isSaid = false

  async function watch(isPending: () => boolean): Promise<void> {
    while (isPending() && !isSaid) {
      await pause(LOOK_MS)
      if (!isPending()) return
      const answered = await Promise.race([probe().then(yes, yes), pause(ANSWER_MS)])
      if (answered || !isPending() || isSaid) continue
      isSaid = true
      say('The Filewright process that holds the state is busy. Waiting for it; Ctrl-C stops that.')
    }
  }

  return async request => {
    let isPending = true
    void watch(() => isPending)
    try {
      return await fetch(request)
    } finally {
      isPending = false
    }
  }
}

const yes = () => true

function pause(ms: number): Promise<false> {
  return new Promise(resolve => setTimeout(resolve, ms, false).unref())
}
