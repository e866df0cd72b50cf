import type { LoopLimits } from '../port/loop-limits.ts'

/** The most that one receipt takes of what the model sees. */
export const RECEIPT_BYTES = 2 * 1024

const HEAD_BYTES = 1_400 // of the result itself; the rest of a receipt says what it is

export interface ReceiptRoom {
  /** What the model sees of the turn's results so far. */
  readonly usedBytes: number
  /** Results of the turn that come after this one; each may need a receipt. */
  readonly resultsToCome: number
}

/** Whether the model sees a result whole: within its own bound and its turn's (CONTRACT §7). */
export function fitsWhole(text: string, room: ReceiptRoom, limits: LoopLimits): boolean {
  const bytes = Buffer.byteLength(text)
  if (bytes <= RECEIPT_BYTES) return true
  const left = limits.turnResultBytes - room.usedBytes - room.resultsToCome * RECEIPT_BYTES
  return bytes <= Math.min(limits.resultBytes, left)
}

/** Shape, first rows or lines, and the id by which `recall_tool_result` gives the rest. */
export function toReceipt(text: string, toolCallId: string): string {
  const head = headOf(text)
  return [
    `[Filewright] ${describe(text)} It begins:`,
    head,
    `[…] The rest was kept. Read on with recall_tool_result {"id": "${toolCallId}", "offset": ${head.length}}, or ask the tool for a smaller region.`,
  ].join('\n')
}

/** The receipt of a failure keeps its first line first, because that line says what is wrong. */
export function toFailureReceipt(text: string, toolCallId: string): string {
  const head = headOf(text)
  return `${head.trimEnd()}\n[…] [Filewright] ${describe(text)} The rest was kept. Read on with recall_tool_result {"id": "${toolCallId}", "offset": ${head.length}}.`
}

const OLD_RECEIPT_BYTES = 400 // of a result that the model has seen and worked with

/** What stays of an old result when the context is nearly full: its beginning, and the id by which it is read again. */
export function toOldReceipt(text: string, toolCallId: string): string {
  if (Buffer.byteLength(text) <= 2 * OLD_RECEIPT_BYTES) return text
  const head = headOf(text, OLD_RECEIPT_BYTES).trimEnd()
  return `${head}\n[…] [Filewright] You have read this result before, so only its beginning is shown. The whole: recall_tool_result {"id": "${toolCallId}"}.`
}

function describe(text: string): string {
  return `This result is too long to be shown whole: ${shapeOf(text)}, ${Buffer.byteLength(text)} bytes.`
}

function shapeOf(text: string): string {
  const parsed = /^\s*[[{]/.test(text) ? tryParse(text) : undefined
  if (Array.isArray(parsed)) return `a JSON list of ${parsed.length}`
  if (parsed !== undefined && parsed !== null && typeof parsed === 'object')
    return `a JSON object with ${Object.keys(parsed).slice(0, 12).join(', ')}`
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines === 1 ? 'one line' : `${lines} lines`
}

/** Whole lines where there are any, never half a character. */
function headOf(text: string, bytes = HEAD_BYTES): string {
  let head = text.slice(0, bytes)
  while (Buffer.byteLength(head) > bytes) head = head.slice(0, Math.floor(head.length * 0.8))
  if (/[\ud800-\udbff]$/.test(head)) head = head.slice(0, -1)
  const line = head.lastIndexOf('\n')
  return line > 0 ? head.slice(0, line + 1) : head
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
