import { describeLineMap, type LineMap } from '@filewright/documents/text'
import {
  type Answer,
  counted,
  type Effect,
  type PublishedFile,
  type PublishedProposal,
  type RefusedChange,
  type Sha256,
  type ToolOutput,
  toVersion,
} from '@filewright/protocol'
import type { z } from 'zod'
import type { numberedBatch, workspaceWritePatch } from './tool.ts'

type Batch = z.output<typeof numberedBatch>
type BatchFile = Batch['files'][number]
type BatchFields = ToolOutput<typeof workspaceWritePatch>
type Refused = ReadonlyMap<string, RefusedChange>

/** The outcome of a batch: of each file, and of each change in it. */
export function toBatchAnswer(
  { batchId, batchKey, batchLabel, files }: Batch,
  published: PublishedProposal,
): Answer<BatchFields> {
  const refused = refusedById(published)
  const writtenBy = new Map(published.files.map(file => [file.docPath as string, file]))
  const outcomes = files.map(file => toFileOutcome(file, writtenBy.get(file.docPath), refused))
  const refusedChanges = [...refused.values()]
  const message = summarise({
    applied: outcomes.reduce((total, file) => total + appliedIn(file), 0),
    files: published.files.length,
    refused: refusedChanges.length,
    isRebased: outcomes.some(file => file.rebased),
  })
  const lines = [message, ...outcomes.map(describeFile), ...refusedChanges.map(describeRefused)]
  return {
    fields: {
      batchId,
      ...(batchKey && { batchKey }),
      ...(batchLabel && { batchLabel }),
      files: outcomes,
      refusedChanges,
    },
    message,
    text: [...lines, `batchId ${batchId}`].join('\n'),
    warnings: published.warnings,
    effects: toEffects(published.files, outcomes),
  }
}

function refusedById({ dropped, refused }: PublishedProposal): Refused {
  const reason = 'it depends on a change that was refused'
  return new Map<string, RefusedChange>([
    ...dropped.map(changeId => [changeId, { changeId, reason }] as const),
    ...refused.map(change => [change.changeId, change] as const),
  ])
}

type FileOutcome = ReturnType<typeof toFileOutcome>

function toFileOutcome(file: BatchFile, written: PublishedFile | undefined, refused: Refused) {
  const { filePatchId, fileKey, fileLabel, docPath, path, sha256 } = file
  return {
    filePatchId,
    ...(fileKey && { fileKey }),
    ...(fileLabel && { fileLabel }),
    docPath,
    path: written?.path ?? path,
    originalSha256: sha256,
    sha256: written ? written.after : sha256,
    version: toVersion((written?.after ?? sha256) as Sha256),
    rebased: written?.rebased ?? false,
    ...(written?.lineMap !== undefined && { lineMap: written.lineMap }),
    ...(written?.diff && { diff: written.diff }),
    changes: file.changes.map(change => toChangeOutcome(change, refused)),
  }
}

function toChangeOutcome(change: BatchFile['changes'][number], refused: Refused) {
  const { changeId, operation } = change
  const { changeKey, description } = change as Partial<Record<string, string>>
  const reason = refused.get(changeId)?.reason
  return {
    changeId,
    ...(changeKey && { changeKey }),
    operation,
    ...(description && { description }),
    status: refused.has(changeId) ? ('refused' as const) : ('applied' as const),
    ...(reason && { reason }),
  }
}

function appliedIn({ changes }: FileOutcome): number {
  return changes.filter(change => change.status === 'applied').length
}

function toEffects(
  written: readonly PublishedFile[],
  outcomes: readonly FileOutcome[],
): readonly Effect[] {
  const byDocPath = new Map(outcomes.map(outcome => [outcome.docPath, outcome]))
  return written.map(({ docPath, path, before, after }) => {
    const outcome = byDocPath.get(docPath)
    const count = outcome ? appliedIn(outcome) : 1
    const effect = { docPath, path, where: 'workspace', action: 'changed' } as const
    return { ...effect, count, unit: 'changes', before, after }
  })
}

function describeFile({ path, version, rebased, lineMap }: FileOutcome): string {
  const moved = rebased ? ', rebased onto the version found' : ''
  const map = lineMap ? `; lines ${describeLineMap(lineMap as LineMap)}` : ''
  return `${path}: version ${version}${moved}${map}`
}

function describeRefused({ changeId, place, reason }: RefusedChange): string {
  return `refused: ${place ? `${place}, ` : ''}${changeId}${reason ? ` (${reason})` : ''}`
}

interface Summary {
  readonly applied: number
  /** Counts only changes that were written. */
  readonly files: number
  readonly refused: number
  readonly isRebased: boolean
}

function summarise({ applied, files, refused, isRebased }: Summary): string {
  if (files === 0 && refused > 0) return 'Nothing was written: every change was refused.'
  if (files === 0) return 'Nothing was written: the files already have this content.'
  const count = counted(files, 'file')
  const parts = [
    applied === 0
      ? `Changed ${count} as a whole`
      : `Applied ${counted(applied, 'change')} in ${count}`,
  ]
  if (refused > 0) parts.push(`${refused} refused by the person`)
  if (isRebased)
    parts.push('a base had moved on and the changes were mapped onto the file as it was found')
  return `${parts.join('; ')}.`
}
