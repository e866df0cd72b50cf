import { findFormat } from '@filewright/documents'

/** Whether the operation gives a file all of its content, whatever was there before. */
export function isWholeWrite(format: string, op: string | undefined): boolean {
  return op !== undefined && op === findFormat(format)?.editing?.wholeOperation
}
