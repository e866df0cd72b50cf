import { fail, type Result, toDocPath } from '@filewright/protocol'
import type { Located } from '../workspace/tree/workspace.ts'
import type { Draft } from './draft.ts'

/** One file under two names: publishing could not know which of the two contents to write. */
export function findTwin(
  draft: Draft,
  { docPath, path, realPath }: Located,
): Result<never, 'CONFLICT'> | undefined {
  const target = toDocPath(realPath)
  for (const other of draft.files.values()) {
    const isTwin = other.disk !== null && (other.linkTo ?? other.docPath) === target
    if (isTwin && other.docPath !== docPath)
      return fail(
        'CONFLICT',
        `"${path}" and "${other.path}", which the draft already changes, are the same file, one of them through a link. Continue with "${other.path}".`,
      )
  }
  return undefined
}
