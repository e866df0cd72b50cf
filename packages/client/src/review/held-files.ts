import {
  type Change,
  counted,
  type ExecutedFile,
  fail,
  ok,
  type Result,
} from '@filewright/protocol'
import { type Draft, isAtIssue } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { findStrayed } from './replay-file.ts'
import type { ReviewedFile } from './reviewed-file.ts'

/**
 * A draft is replayed from its log. Where that fails, or gives something else than what was accepted, a person looks
 * again; the other files of the draft do not wait for that.
 */
export async function mayBeHeld(desk: Desk, draft: Draft): Promise<boolean> {
  for (const file of draft.files.values()) {
    if (!isAtIssue(file)) continue
    const strayed = await findStrayed(desk, draft, file)
    if (!strayed.ok || strayed.value.length > 0) return true
  }
  return false
}

/** Files that no publish takes unless a person names their changes; those of a broken file cannot be named. */
export function heldIn(reviewed: readonly ReviewedFile[]): readonly ExecutedFile[] {
  return reviewed.flatMap(own => {
    const { path, docPath } = own.file
    const changeIds = own.broken ? [] : own.changes.map(({ id }) => id)
    const why = own.broken ? whyBroken(own) : own.strayed && whyStrayed(own)
    return why ? [{ path, docPath, why, changeIds }] : []
  })
}

function whyBroken({ file, changes: [refused] }: ReviewedFile): string {
  const { id, operation, description } = refused!
  return `"${file.path}" stays in the draft: its operation ${operation.op} was accepted and cannot be done again (${description}). Drop that operation, and keep the others, with: filewright draft resolve ${id} --theirs`
}

function whyStrayed({ file, strayed = [] }: ReviewedFile): string {
  const ops = [...new Set(strayed.map(({ op }) => op))].slice(0, 5).join(', ')
  return `"${file.path}" was recorded with other results, by an earlier version or before an operation was dropped: ${counted(strayed.length, 'operation')} (${ops}) may make something else now. Look at its changes again.`
}

/** Whether what a person named can be published, and dropped, at all. */
export function refuseBroken(
  reviewed: readonly ReviewedFile[],
  named: readonly string[],
): Result<null> {
  const broken = reviewed.find(own => own.broken && named.includes(idOf(own)))
  return broken ? fail('INVALID_ARGUMENT', `Nothing was written. ${whyBroken(broken)}`) : ok(null)
}

export function idOf({ changes: [only] }: ReviewedFile): Change['id'] {
  return only!.id
}
