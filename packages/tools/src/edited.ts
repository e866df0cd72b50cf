import { findFormat } from '@filewright/documents'
import { type Answer, type Effect, toVersion, type Version } from '@filewright/protocol'
import type { Edited, FileFacts } from './client-context.ts'

const CHANGES_TOLD = 100

export function toFileFields(file: FileFacts) {
  const { path, docPath, format, sizeBytes, sha256, draft } = file
  return { path, docPath, format, sizeBytes, sha256, version: versionOf(file), draft }
}

/** Null until the bytes of a drafted office file are built. */
export function versionOf({ sha256 }: FileFacts): Version | null {
  return sha256 && toVersion(sha256)
}

/** The answer of every tool that edits the draft: what was done, the new version, and that nothing is on disk yet. */
export function toEditedAnswer(edited: Edited) {
  const { file, created, changes, results, warnings, draftId } = edited
  const done = results.map(result => result.message.replace(/\.$/, '')).join('; ')
  const isAsItWas = !created && changes.length === 0
  const message = isAsItWas
    ? `${file.path} ${done ? 'is as it was' : 'already exists'}; nothing was changed${done && `: ${done}`}.`
    : `${created ? 'Created' : 'Changed'} ${file.path} in the draft${done && `: ${done}`}.`
  return {
    fields: {
      path: file.path,
      docPath: file.docPath,
      format: file.format,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      version: versionOf(file),
      draft: file.draft,
      created,
      draftId,
      results: [...results],
      changes: changes
        .slice(0, CHANGES_TOLD)
        .map(({ id, place, kind, operation }) => ({ id, place, kind, op: operation.op })),
      changeCount: changes.length,
    },
    message,
    text: [message, describeNext(file), ...warnings.map(warning => `Warning: ${warning}`)].join(
      '\n',
    ),
    warnings,
    effects: isAsItWas ? [] : toEffects(edited),
  } satisfies Answer<unknown>
}

function describeNext({ sha256, draft }: FileFacts): string {
  const version = sha256 && `version ${toVersion(sha256)}`
  if (draft === 'none') return `${version ?? 'It'} is on disk.`
  return `${version ? `${version}; the` : 'The'} person publishes the draft.`
}

/** In the format's own unit; anything else, such as a sheet among cells, counts as a change. */
function toEffects({ file, created, changes, draftId }: Edited): Effect[] {
  const { docPath, path } = file
  const action = created ? 'created' : 'changed'
  const effect = { docPath, path, where: 'draft', action, ...(draftId && { draftId }) } as const
  const { name = 'changes', of: own } = findFormat(file.format)?.editing?.unit ?? {}
  const counted = own === undefined ? changes : changes.filter(({ kind }) => kind === own)
  const others = changes.length - counted.length
  return [
    ...(counted.length > 0 || others === 0
      ? [{ ...effect, count: countLines(counted), unit: name }]
      : []),
    ...(others > 0 ? [{ ...effect, count: others, unit: 'changes' }] : []),
  ]
}

/** A change without lines, such as that of a cell, counts once. */
function countLines(changes: Edited['changes']): number {
  return changes.reduce(
    (total, { before, after }) => total + changedLines(before?.lines ?? [], after?.lines ?? []),
    0,
  )
}

/** Ignores common lines at both ends; the longer side of the rest counts: a new file counts all its lines. */
function changedLines(before: readonly string[], after: readonly string[]): number {
  const shorter = Math.min(before.length, after.length)
  let first = 0
  while (first < shorter && before[first] === after[first]) first++
  let last = 0
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last++
  return Math.max(1, before.length - first - last, after.length - first - last)
}
