import type { Change } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { type Desk, draftedBytes } from '../draft/draft-view.ts'
import { diffLines } from '../review/diffs.ts'
import { howToAllow } from '../workspace/tree/private-files.ts'

export interface Shown {
  readonly changes: readonly Change[]
  readonly diffs: readonly { readonly path: string; readonly diff: string }[]
}

/**
 * An approval may be answered on another machine. So it shows only the new content of a key file: nobody sees
 * the current content before a person allows the file; then the lines that would be lost are shown.
 */
export async function withoutKeys(
  desk: Desk,
  draft: Draft,
  { changes, diffs }: Shown,
): Promise<Shown & { readonly warnings: readonly string[] }> {
  const hidden = new Map<string, DraftFile>()
  for (const file of draft.files.values())
    if (file.disk !== null && (await isHidden(desk, file))) hidden.set(file.path, file)
  if (hidden.size === 0) return { changes, diffs, warnings: [] }
  const told = await Promise.all(
    diffs.map(async ({ path, diff }) => {
      const file = hidden.get(path)
      return { path, diff: file ? await diffOfNew(desk, draft, file) : diff }
    }),
  )
  return {
    changes: changes.map(change =>
      change.before && hidden.has(change.path) ? { ...change, before: NOT_SHOWN } : change,
    ),
    diffs: told,
    warnings: [...hidden.values()].map(
      ({ path }) =>
        `The current content of "${path}" is not shown because it may hold keys or passwords; ${howToAllow('read', path)}`,
    ),
  }
}

const NOT_SHOWN = { text: '(not shown)' }

async function isHidden({ workspace, allowsReading, allowsWriting }: Desk, { docPath }: DraftFile) {
  if (allowsReading(docPath) || allowsWriting(docPath)) return false
  const located = await workspace.locate(docPath)
  return located.ok ? located.value.isPrivate : workspace.isPrivate(docPath)
}

async function diffOfNew(desk: Desk, draft: Draft, file: DraftFile): Promise<string> {
  const after = file.isDeleted ? undefined : await draftedBytes(desk, draft, file)
  const sides = { before: new Uint8Array(0), after: after?.ok ? after.value : null }
  return (await diffLines(desk, file, sides)) ?? ''
}
