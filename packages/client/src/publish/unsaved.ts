import { fail, ok, type Result, type UnsavedText } from '@filewright/protocol'
import { type Draft, type DraftFile, isMadeHere } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { carryOver } from './carry-over.ts'
import { isReplaced } from './new-content.ts'
import type { PublishPlan } from './plan-publish.ts'

export interface UnsavedPorts {
  readonly desk: Desk
  /** Bytes that only the store has. */
  readonly fetchBase: (sha256: string) => Promise<Uint8Array | undefined>
}

/**
 * The files to be written that have unsaved text in an editor. A change that means the same in that text goes to the
 * disk, with a warning; any other is a conflict, because saving the text would lose it, or it the text.
 */
export async function checkUnsaved(
  ports: UnsavedPorts,
  draft: Draft,
  { changeSet }: PublishPlan,
  unsaved: readonly UnsavedText[] = [],
): Promise<Result<readonly string[]>> {
  if (unsaved.length === 0) return ok([])
  const warnings: string[] = []
  const held = new Map<string, string>()
  for (const { docPath, path } of changeSet.files)
    for (const text of unsaved.filter(each => each.docPath === docPath)) {
      const file = draft.files.get(docPath)
      if (!file || !(await fits(ports, draft, file, text))) held.set(docPath, path)
      else if (text.sessionId !== draft.open.call?.ids.sessionId)
        warnings.push(
          `"${path}" has unsaved changes in an editor. The changes go to the file on disk; the unsaved text stays with its editor.`,
        )
    }
  return held.size === 0 ? ok([...new Set(warnings)]) : refuse(draft, held)
}

/** Each of its changes is provably for the same lines of the unsaved text. */
async function fits(
  { desk, fetchBase }: UnsavedPorts,
  draft: Draft,
  file: DraftFile,
  { sha256 }: UnsavedText,
): Promise<boolean> {
  const isInside = !file.isDeleted && !isMadeHere(file) && !isReplaced(file)
  if (!isInside || file.begin !== file.disk || draft.published.size > 0) return false
  const bytes = await fetchBase(sha256)
  return bytes !== undefined && (await carryOver(desk, draft, file, { sha256, bytes })).ok
}

function refuse({ open }: Draft, held: ReadonlyMap<string, string>): Result<never> {
  const names = [...held.values()].map(path => `"${path}"`).join(', ')
  const one = held.size === 1
  const again = open.purpose === 'workshop' ? 'publish' : 'send the call again'
  return fail(
    'CONFLICT',
    `Nothing was written: ${names} ${one ? 'has' : 'have'} unsaved changes in an editor. Settle ${one ? 'it' : 'them'} there first, then ${again}.`,
    { details: { files: [...held].map(([docPath, path]) => ({ docPath, path })) } },
  )
}
