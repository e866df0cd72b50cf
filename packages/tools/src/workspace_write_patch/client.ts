import { LINE_TEXT } from '@filewright/documents'
import { describeLineMap, type LineMap } from '@filewright/documents/text'
import {
  counted,
  type DocPath,
  ok,
  type Proposer,
  type RefusedChange,
  type RelativePath,
  type Sha256,
  toVersion,
} from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import type { workspaceWritePatch } from './tool.ts'

export const workspaceWritePatchClient: Proposer<typeof workspaceWritePatch, ClientContext> = {
  async propose({ batchLabel, files }) {
    const count = counted(files.length, 'file')
    return ok({
      label: batchLabel ?? `Patch ${count}: ${files.map(file => file.path).join(', ')}`,
      edits: files.map(({ docPath, path, sha256, changes, finalNewline, eol, bom }) => ({
        docPath: docPath as DocPath,
        path: path as RelativePath,
        format: LINE_TEXT,
        base: sha256 as Sha256,
        operation: {
          op: 'line_changes',
          changes,
          ...(finalNewline !== undefined && { finalNewline }),
          ...(eol && { eol }),
          ...(bom !== undefined && { bom }),
        },
      })),
    })
  },

  labels({ batchKey, files }) {
    return new Map(
      files.flatMap(({ fileKey, fileLabel, changes }) =>
        changes.map(change => {
          const { changeId, changeKey } = change as { changeId: string; changeKey?: string }
          const labels = {
            ...(batchKey && { batchKey }),
            ...(fileKey && { fileKey }),
            ...(fileLabel && { fileLabel }),
            ...(changeKey && { changeKey }),
          }
          return [changeId, labels] as const
        }),
      ),
    )
  },

  finish({ batchId, batchKey, batchLabel, files }, published) {
    const gone = new Map<string, RefusedChange>([
      ...published.dropped.map(
        changeId =>
          [changeId, { changeId, reason: 'it depends on a change that was refused' }] as const,
      ),
      ...published.refused.map(refused => [refused.changeId, refused] as const),
    ])
    const outcomes = files.map(file => {
      const written = published.files.find(other => other.docPath === file.docPath)
      return {
        filePatchId: file.filePatchId,
        ...(file.fileKey && { fileKey: file.fileKey }),
        ...(file.fileLabel && { fileLabel: file.fileLabel }),
        docPath: file.docPath,
        path: written?.path ?? file.path,
        originalSha256: file.sha256,
        sha256: written ? written.after : file.sha256,
        version: toVersion((written?.after ?? file.sha256) as Sha256),
        rebased: written?.rebased ?? false,
        ...(written?.lineMap !== undefined && { lineMap: written.lineMap }),
        ...(written?.diff && { diff: written.diff }),
        changes: file.changes.map(change => {
          const isGone = gone.has(change.changeId)
          const reason = gone.get(change.changeId)?.reason
          const { changeId, changeKey, operation, description } = change as Record<string, string>
          return {
            changeId: changeId!,
            ...(changeKey && { changeKey }),
            operation: operation!,
            ...(description && { description }),
            status: isGone ? ('refused' as const) : ('applied' as const),
            ...(reason && { reason }),
          }
        }),
      }
    })
    const refusedChanges = [...gone.values()]
    const applied = outcomes
      .flatMap(file => file.changes)
      .filter(change => change.status === 'applied').length
    const message = summarise({
      applied,
      files: published.files.length,
      refused: refusedChanges.length,
      isRebased: outcomes.some(file => file.rebased),
    })
    return {
      fields: {
        batchId,
        ...(batchKey && { batchKey }),
        ...(batchLabel && { batchLabel }),
        files: outcomes,
        refusedChanges,
      },
      message,
      text: [
        message,
        ...outcomes.map(file => {
          const moved = file.rebased ? ', rebased onto the version found' : ''
          const map = file.lineMap ? `; lines ${describeLineMap(file.lineMap as LineMap)}` : ''
          return `${file.path}: version ${file.version}${moved}${map}`
        }),
        ...refusedChanges.map(
          ({ changeId, place, reason }) =>
            `refused: ${place ? `${place}, ` : ''}${changeId}${reason ? ` (${reason})` : ''}`,
        ),
        `batchId ${batchId}`,
      ].join('\n'),
      warnings: published.warnings,
      effects: published.files.map(file => ({
        docPath: file.docPath,
        path: file.path,
        where: 'workspace' as const,
        action: 'changed' as const,
        count:
          outcomes
            .find(outcome => outcome.docPath === file.docPath)
            ?.changes.filter(change => change.status === 'applied').length ?? 1,
        unit: 'changes' as const,
      })),
    }
  },
}

interface Summary {
  readonly applied: number
  /** That were written. */
  readonly files: number
  readonly refused: number
  readonly isRebased: boolean
}

function summarise({ applied, files, refused, isRebased }: Summary): string {
  if (files === 0 && refused > 0) return 'Nothing was written: every change was refused.'
  if (files === 0) return 'Nothing was written: the files are like that already.'
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
