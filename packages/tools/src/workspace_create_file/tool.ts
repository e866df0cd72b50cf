import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { NEW_FILE } from '../instead.ts'

export const workspaceCreateFile = defineTool({
  name: 'workspace_create_file',
  label: 'Creating {path}',
  summary:
    'Create a new text file in the workspace, or replace an existing one as a whole when overwrite is true.',
  guidance: [
    'Use it for new source, test, config, schema and documentation files, and to replace a file as a whole when you know all of its new content.',
    'Do not use it to change part of a file or to append (use workspace_write_patch), for binary content, or for paths outside the workspace (they fail).',
    'Always send the entire final content; it is written in one step, as UTF-8 without BOM with \\n. Parent folders are created as needed.',
    'It fails with FileExists when the file exists and overwrite is false. Pass overwrite: true only when you mean to replace the file; if you are not sure that it should be replaced, ask the person.',
    'Give a path relative to the workspace with its folders, such as "src/Services/Foo.cs"; no absolute path and no "..".',
    'Choose folders that exist in the workspace snapshot or were used before, follow the patterns you see there (sources under src, tests next to their project), keep related files together, and make a new folder only where none fits.',
    'When the place is clear, act; when several places are equally plausible, ask the person one short question first.',
    'It answers with the path, size in bytes, a content hash, and whether the file was created or overwritten.',
  ].join('\n'),
  input: z.object({
    path: z.string().describe('Relative file path inside the workspace'),
    content: z.string().describe('Full text content (UTF-8, no BOM, \\n line endings)'),
    overwrite: z.boolean().optional().describe('true to replace an existing file; default false'),
    eol: z.enum(['lf']).optional().describe('Write \\n even where the replaced file had \\r\\n'),
  }),
  output: z.object({
    path: z.string().describe('Where the file is, relative to the workspace, with /'),
    docPath: z.string().describe('The key: lower case'),
    sizeBytes: z.number().int().describe('Bytes written'),
    hash: z.string().nullable().describe('Content hash: over the text with \\n line ends'),
    sha256: z.string().nullable().describe('Of the exact bytes; guards the next write'),
    version: z.string().nullable().describe('The first 8 digits of sha256'),
    created: z.boolean().describe('No file existed before'),
    overwritten: z.boolean().describe('An existing file was replaced'),
  }),
  executionLocation: 'client',
  toolsets: ['workspace'],
  writes: 'workspace',
  isBasic: true,
  failures: {
    FileExists: 'conflict',
    DirectoryCreateFailed: 'unavailable',
    WriteFailed: 'unavailable',
    TooLarge: 'limit',
    HashFailed: 'internal',
    UnhandledException: 'internal',
  },
  otherKinds: {
    WriteFailed: {
      kind: 'denied',
      because: 'The file or its folder is read-only: a person must allow writing there.',
    },
    DirectoryCreateFailed: {
      kind: 'denied',
      because: 'The file or its folder is read-only: a person must allow writing there.',
    },
  },
  aliases: ['workspace.create_file'],
  instead: NEW_FILE,
})
