import { patchBatchSchema } from '@filewright/documents/text'
import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

/** A checked batch with its ids: what the client receives. */
export const numberedBatch = z.object({
  batchId: z.string(),
  batchKey: z.string().optional(),
  batchLabel: z.string().optional(),
  files: z.array(
    z.looseObject({
      filePatchId: z.string(),
      docPath: z.string(),
      path: z.string(),
      sha256: z.string(),
      fileKey: z.string().optional(),
      fileLabel: z.string().optional(),
      finalNewline: z.boolean().optional(),
      eol: z.enum(['lf', 'crlf']).optional(),
      bom: z.boolean().optional(),
      changes: z.array(z.looseObject({ changeId: z.string(), operation: z.string() })),
    }),
  ),
  warnings: z.array(z.string()),
})

const changeOutcome = z.looseObject({
  changeId: z.string(),
  changeKey: z.string().optional(),
  operation: z.string(),
  description: z.string().optional(),
  status: z.enum(['applied', 'refused']),
  reason: z.string().optional(),
})

export const workspaceWritePatch = defineTool({
  name: 'workspace_write_patch',
  label: 'Patching files',
  summary:
    'Change source files by whole lines: one batch of insert, replace and delete over one or more files, applied all or none.',
  guidance: [
    'Plan on the authoritative full file: the active file where the docPath is active, else what workspace_read_file gives. Never plan on search snippets or on a version you saw earlier.',
    'originalSha256 is the version (or sha256) of exactly that content, copied from the read; never make one up, and never hash a part.',
    'Decide on the smallest precise set of line edits that does what was asked.',
    'Only whole lines: to change part of a line, replace it, with the full old line in expectedOriginalLines and the full new line in newLines. Lines carry no line end and no `12|` prefix.',
    'Order changes top to bottom, without overlap, each fully specified; line numbers are those of the original file. A short description says why.',
    'Send one call with all files of the change: the batch is checked, stored with ids, approved by a person, and applied as a whole; new versions come back, with a map from old to new lines, so the next patch needs no new read.',
    'For new files and full replacements use workspace_create_file.',
  ].join('\n'),
  input: patchBatchSchema,
  output: z.looseObject({
    batchId: z.string(),
    batchKey: z.string().optional(),
    batchLabel: z.string().optional(),
    files: z.array(
      z.looseObject({
        filePatchId: z.string(),
        docPath: z.string(),
        path: z.string(),
        originalSha256: z.string(),
        sha256: z.string().nullable(),
        version: z.string().nullable(),
        rebased: z.boolean(),
        lineMap: z.unknown().optional(),
        changes: z.array(changeOutcome),
      }),
    ),
    refusedChanges: z.array(z.object({ changeId: z.string(), reason: z.string().optional() })),
  }),
  forwards: numberedBatch,
  checksOwnArguments: true,
  executionLocation: 'client',
  toolsets: ['workspace'],
  writes: 'workspace',
  failures: {},
  aliases: ['workspace.write_patch'],
})
