import { patchBatchSchema } from '@filewright/documents/text'
import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { LINES } from '../instead.ts'

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

const changeId = z.string().describe('Finds the change again')
const reason = z.string().optional().describe('What the person said')
const place = z.string().optional().describe('Its file and place')

const changeOutcome = z.looseObject({
  changeId,
  changeKey: z.string().optional().describe('As it was sent'),
  operation: z.string().describe('insert, replace or delete'),
  description: z.string().optional().describe('As it was sent'),
  status: z.enum(['applied', 'refused']),
  reason,
})

export const workspaceWritePatch = defineTool({
  name: 'workspace_write_patch',
  label: 'Patching files',
  summary:
    'Change source files by whole lines: one batch of insert, replace and delete over one or more files, applied all or none.',
  guidance: [
    'Plan on the authoritative full file: the active file where the docPath is active, else what workspace_read_file gives. Never plan on a version you saw earlier. Results of workspace_search are for finding files: never plan on snippets.',
    'originalSha256 is the version (or sha256) of exactly that content, copied from the read; never make one up, and never hash a part or edited text.',
    'Decide on the smallest precise set of line edits that does what was asked.',
    'Only whole lines: to change part of a line, replace it, with the full old line in expectedOriginalLines and the full new line in newLines. Lines carry no line end and no `12|` prefix.',
    'Each file has one list of changes: top to bottom, without overlap, each fully specified; line numbers are those of the original file. A short description says why.',
    'Send one call with all files of the change: the batch is checked, stored with ids, approved by a person, and applied as a whole; new versions come back, with a map from old to new lines, so the next patch needs no new read.',
    'For new files and full replacements use workspace_create_file.',
  ].join('\n'),
  input: patchBatchSchema,
  output: z.looseObject({
    batchId: z.string().describe('Finds the batch again'),
    batchKey: z.string().optional().describe('As it was sent'),
    batchLabel: z.string().optional().describe('As it was sent'),
    files: z
      .array(
        z.looseObject({
          filePatchId: z.string().describe('Finds the file patch again'),
          fileKey: z.string().optional().describe('As it was sent'),
          docPath: z.string().describe('The key: lower case'),
          path: z.string().describe('Spelling on disk'),
          originalSha256: z.string().describe('What the patch was planned on'),
          sha256: z.string().nullable().describe('Of the file now'),
          version: z.string().nullable().describe('Of the file now: the base of the next patch'),
          rebased: z
            .boolean()
            .describe('The file had changed, and the changes were mapped onto it'),
          diff: z.string().optional().describe('Unified diff of what was written'),
          lineMap: z.unknown().optional().describe('Old line numbers to new ones'),
          changes: z.array(changeOutcome).describe('In the order sent, with what became of each'),
        }),
      )
      .describe('In the order sent'),
    refusedChanges: z
      .array(z.object({ changeId, reason, place }))
      .describe('What the person did not accept'),
  }),
  forwards: numberedBatch,
  checksOwnArguments: true,
  executionLocation: 'client',
  toolsets: ['workspace'],
  window: 'large',
  writes: 'workspace',
  failures: {},
  otherKinds: {
    INVALID_ARGUMENT: {
      kind: 'unsupported',
      because: 'The file is not text, and no argument changes that.',
    },
    WRITE_FAILED: {
      kind: 'denied',
      because: 'The file or its folder is read-only: a person must allow writing there.',
    },
  },
  aliases: ['workspace.write_patch'],
  instead: LINES,
})
