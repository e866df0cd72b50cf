import type { CallState, Result, ToolCallId } from '@filewright/protocol'
import type { ToolCallRequest } from './call-recorder.ts'

interface UnderWay {
  readonly running: Promise<Result<CallState>>
  /** Absent if the call was not sent but is being restored. */
  readonly request?: ToolCallRequest
}

/** Running calls that have ids of their callers' own. */
export interface CallsUnderWay {
  get(id: ToolCallId): UnderWay | undefined
  run(
    id: ToolCallId,
    run: () => Promise<Result<CallState>>,
    request?: ToolCallRequest,
  ): Promise<Result<CallState>>
}

export function createCallsUnderWay(): CallsUnderWay {
  const underWay = new Map<ToolCallId, UnderWay>()
  return {
    get: id => underWay.get(id),
    run(id, run, request) {
      const running = run().finally(() => underWay.delete(id))
      underWay.set(id, { running, request })
      return running
    },
  }
}
