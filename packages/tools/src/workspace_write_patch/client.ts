import { LINE_TEXT } from '@filewright/documents'
import {
  counted,
  type DocPath,
  ok,
  type Proposer,
  type RelativePath,
  type Sha256,
} from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toBatchAnswer } from './batch-answer.ts'
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

  finish: toBatchAnswer,
}
