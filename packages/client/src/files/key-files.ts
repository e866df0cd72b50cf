import { type Change, howToAllow } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { mayBeRead } from '../draft/refuse-key-file.ts'

export interface Shown {
  readonly changes: readonly Change[]
  readonly diffs: readonly { readonly path: string; readonly diff: string }[]
}

/**
 * A review and an approval may be read on another machine. So nobody sees the current content of a key file before a
 * person allows the file: a proposal shows its new lines, and a draft, whose edits keep parts of the old ones, nothing.
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
  const isProposal = draft.open.purpose === 'one-call' // its words are those of who asks
  return {
    changes: changes.map(change => {
      if (!hidden.has(change.path)) return change
      const before = change.before && { before: NOT_SHOWN }
      const after = change.after && !isProposal && { after: NOT_SHOWN }
      return { ...change, ...before, ...after }
    }),
    diffs: diffs.map(({ path, diff }) => {
      if (!hidden.has(path)) return { path, diff }
      return { path, diff: isProposal ? newLinesOf(diff) : '' }
    }),
    warnings: [...hidden.values()].map(
      ({ path }) =>
        `The current content of "${path}" is not shown because it may hold keys or passwords; ${howToAllow('read', path)}`,
    ),
  }
}

const NOT_SHOWN = { text: '(not shown)' }

async function isHidden(desk: Desk, { docPath }: DraftFile) {
  return !desk.allowsWriting(docPath) && !(await mayBeRead(desk, docPath))
}

function newLinesOf(unified: string): string {
  return unified
    .split('\n')
    .filter(line => /^(?:\+|--- |@@)/.test(line))
    .join('\n')
}
