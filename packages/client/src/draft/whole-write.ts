import { findFormat } from '@filewright/documents'

/** Whether the operation replaces all of a file's content. */
export function isWholeWrite(format: string, op: string | undefined): boolean {
  return op !== undefined && op === findFormat(format)?.editing?.wholeOperation
}
