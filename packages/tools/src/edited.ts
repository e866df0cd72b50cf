import { editedAs, type FormatEditing, factsOf } from '@filewright/documents'
import {
  type Answer,
  changedLines,
  type Effect,
  toVersion,
  type Version,
} from '@filewright/protocol'
import type { Edited, FileFacts } from './client-context.ts'

const CHANGES_TOLD = 100
const PLACES_TOLD = 20
const PLACES_JOINED = 1000 // of a larger write the results of its operations say the ranges

export function toFileFields(file: FileFacts) {
  const { path, docPath, format, sizeBytes, sha256, draft } = file
  return { path, docPath, format, sizeBytes, sha256, version: versionOf(file), draft }
}

/** Null until the bytes of a drafted office file are built. */
export function versionOf({ sha256 }: FileFacts): Version | null {
  return sha256 && toVersion(sha256)
}

/** The answer of every tool that edits the draft: what was done, the new version, and that nothing is on disk yet. */
export function toEditedAnswer(edited: Edited, { listsChanges }: { listsChanges: boolean }) {
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
      changeCount: changes.length,
      places: placesOf(edited),
      ...(listsChanges && { changes: changes.slice(0, CHANGES_TOLD).map(toChangeFields) }),
    },
    message,
    text: [message, describeNext(file), ...warnings.map(warning => `Warning: ${warning}`)].join(
      '\n',
    ),
    warnings,
    effects: isAsItWas ? [] : toEffects(edited),
  } satisfies Answer<unknown>
}

function toChangeFields({ id, place, kind, operation }: Edited['changes'][number]) {
  return { id, place, kind, op: operation.op }
}

/** Each once: several operations may change one place. */
function placesOf({ file, changes }: Edited): string[] {
  const places = [...new Set(changes.slice(0, PLACES_JOINED).map(({ place }) => place))]
  const join = editingOf(file)?.joinPlaces
  return (join?.(places) ?? places).slice(0, PLACES_TOLD)
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
  const { name = 'changes', of: own } = editingOf(file)?.unit ?? {}
  const counted = own === undefined ? changes : changes.filter(({ kind }) => kind === own)
  const others = changes.length - counted.length
  return [
    ...(counted.length > 0 || others === 0
      ? [{ ...effect, count: countLines(counted), unit: name }]
      : []),
    ...(others > 0 ? [{ ...effect, count: others, unit: 'changes' }] : []),
  ]
}

/** Of the format whose operations change it: a csv is read as a table and edited as lines. */
function editingOf({ format }: FileFacts): FormatEditing | undefined {
  return factsOf(editedAs(format)).editing
}

/** A change without lines, such as that of a cell, counts once. */
function countLines(changes: Edited['changes']): number {
  return changes.reduce((total, { before, after }) => total + changedLines(before, after), 0)
}
