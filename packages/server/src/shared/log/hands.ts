import type { LogRow, SessionId, ToolCallId } from '@filewright/protocol'
import type { Appended, Lease, NewLine } from '../../log/log.ts'
import type { LogWrite } from './log-insert.ts'

/** What the holder of a session knows since its claim. It lets the holder number rows before they arrive. */
export interface Hand {
  readonly lease: Lease
  last: number
  readonly ended: Set<ToolCallId>
  readonly consumed: Set<string>
  isLost: boolean
}

/** The hands of this process; of each session the latest. */
export function createHands() {
  const hands = new Map<SessionId, Hand>()
  return {
    take(hand: Hand): void {
      hands.set(hand.lease.sessionId, hand)
    },
    of({ sessionId, epoch }: Lease): Hand | undefined {
      const hand = hands.get(sessionId)
      return hand?.lease.epoch === epoch && !hand.isLost ? hand : undefined
    },
    /** The epoch that ended here by a failed append, which the database may not know. */
    lostEpoch(sessionId: SessionId): number | undefined {
      const hand = hands.get(sessionId)
      return hand?.isLost ? hand.lease.epoch : undefined
    },
    drop({ sessionId, epoch }: Lease): void {
      if (hands.get(sessionId)?.lease.epoch === epoch) hands.delete(sessionId)
    },
  }
}

/** Drops a second result. A line that cannot be sent throws before any line is numbered. */
export function numberLines(hand: Hand, lines: readonly NewLine[], time: string): Appended {
  const rows: LogRow[] = []
  const alreadyEnded: ToolCallId[] = []
  const sent = JSON.parse(JSON.stringify(lines)) as readonly NewLine[]
  const { sessionId } = hand.lease
  for (const { conversationId, body } of sent) {
    if (body.type === 'tool_result' && hand.ended.has(body.tool_call_id)) {
      alreadyEnded.push(body.tool_call_id)
      continue
    }
    if (body.type === 'tool_result') hand.ended.add(body.tool_call_id)
    rows.push({ sessionId, seq: ++hand.last, conversationId, type: body.type, time, body })
  }
  return { rows, alreadyEnded }
}

/** The calls that the rows leave open; of a call that starts twice, the newer start. */
export function openedBy({ ended }: Hand, rows: readonly LogRow[]): LogWrite['opened'] {
  const opened = new Map<ToolCallId, LogWrite['opened'][number]>()
  for (const { seq, body } of rows)
    if (body.type === 'call-start' && !ended.has(body.tool_call_id))
      opened.set(body.tool_call_id, { toolCallId: body.tool_call_id, seq, name: body.name })
  return [...opened.values()]
}
