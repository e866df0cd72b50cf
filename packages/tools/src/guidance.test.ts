import type { ToolDeclaration } from '@filewright/protocol'
import { describe, expect } from 'vitest'
import { verifies } from '../../../test/verifies.ts'
import { sentencesOf } from './derive/describe.ts'
import { toPlainSchema } from './derive/plain-schema.ts'
import { readFile } from './read_file/tool.ts'
import { workspaceCreateFile } from './workspace_create_file/tool.ts'
import { workspaceReadFile } from './workspace_read_file/tool.ts'
import { workspaceWritePatch } from './workspace_write_patch/tool.ts'

// Pairs each rule that a document gives to the model with the sentence of the guidance that states it.

describe('reading a document (TUL-001 §2)', () => {
  verifies(
    'TUL-001 §2 guidance docPath as given',
    'the DocPath is passed on unchanged',
    says(workspaceReadFile, "pass the snippet's DocPath as path, unchanged"),
  )
  verifies(
    'TUL-001 §2 guidance chunkPath informs only',
    'the ChunkPath is never passed',
    says(workspaceReadFile, 'never its ChunkPath', 'only locates a snippet'),
  )
})

describe('reading files (ADR-0010)', () => {
  verifies(
    'ADR-0010 §Reading Files guidance map first',
    'the map comes before the regions',
    says(readFile, 'Call get_file_info first for the structural map, then read the regions'),
  )
})

describe('patching files (TUL-002 §8)', () => {
  verifies(
    'TUL-002 §8.1 guidance source',
    'the active file is the base, and otherwise what was read',
    says(
      workspaceWritePatch,
      'the active file where the docPath is active, else what workspace_read_file',
    ),
  )
  verifies(
    'TUL-002 §8.1 guidance search',
    'search results are never a base',
    says(
      workspaceWritePatch,
      'Results of workspace_search are for finding files: never plan on snippets',
    ),
  )
  verifies(
    'TUL-002 §8.2 guidance full text',
    'the full text is planned on',
    says(workspaceWritePatch, 'Plan on the authoritative full file'),
  )
  verifies(
    'TUL-002 §8.2 guidance copy the hash',
    'the hash or version of that text is copied',
    says(
      workspaceWritePatch,
      'originalSha256 is the version (or sha256) of exactly that content, copied from the read',
    ),
  )
  verifies(
    'TUL-002 §8.2 guidance no partial hash',
    'no hash of a part, or of edited text',
    says(workspaceWritePatch, 'never hash a part or edited text'),
  )
  verifies(
    'TUL-002 §8.3 guidance reason on the full file',
    'not on snippets, and not on an older version',
    says(workspaceWritePatch, 'never plan on snippets', 'Never plan on a version you saw earlier'),
  )
  verifies(
    'TUL-002 §8.3 guidance minimal',
    'the smallest precise set of edits',
    says(workspaceWritePatch, 'smallest precise set of line edits'),
  )
  verifies(
    'TUL-002 §8.4 guidance whole lines',
    'part of a line is changed by replacing the line',
    says(workspaceWritePatch, 'Only whole lines: to change part of a line, replace it'),
  )
  verifies(
    'TUL-002 §8.5 guidance ordered',
    'one list a file, ordered, without overlap, complete',
    says(
      workspaceWritePatch,
      'one list of changes: top to bottom, without overlap, each fully specified',
    ),
  )
  verifies(
    'TUL-002 §8.5 guidance description',
    'a description says why',
    says(workspaceWritePatch, 'A short description says why'),
  )
  verifies(
    'TUL-002 §8.6 guidance one call',
    'one call has all files',
    says(workspaceWritePatch, 'Send one call with all files of the change'),
  )
  verifies(
    ['TUL-002 §2.2 no full replacement', 'TUL-004 §8 other tools refer'],
    'new files and full replacements go to workspace_create_file',
    says(workspaceWritePatch, 'For new files and full replacements use workspace_create_file'),
  )
  verifies(
    ['TUL-002 §8.4 no substring operation', 'TUL-002 §2.2 diff is derived'],
    'its arguments know whole lines, and no columns, substrings or diffs',
    () => {
      const { files } = toPlainSchema(workspaceWritePatch.input).properties as Schemas
      const { changes } = files!.items!.properties!
      expect(changes!.items!.properties!.operation!.enum).toEqual(['insert', 'replace', 'delete'])
      expect(Object.keys(changes!.items!.properties!).sort()).toEqual([
        ...['afterLine', 'changeId', 'changeKey', 'description', 'endLine', 'expectedAfter'],
        ...['expectedBefore', 'expectedOriginalLines', 'newLines', 'operation', 'startLine'],
      ])
    },
  )
})

describe('creating a file (TUL-004 §7)', () => {
  verifies('TUL-004 §7.1 short description', 'create, or replace when allowed', () => {
    expect(workspaceCreateFile.summary).toMatch(/Create a new .*file/)
    expect(workspaceCreateFile.summary).toContain(
      'replace an existing one as a whole when overwrite',
    )
  })
  verifies('TUL-004 §7.1 inputs described', 'every argument is described', () => {
    const { path, content, overwrite } = descriptionsOf(workspaceCreateFile.input)
    expect(path).toContain('Relative file path')
    expect(content).toContain('Full text')
    expect(overwrite).toContain('true to replace an existing file')
  })
  verifies(
    'TUL-004 §7.1 behaviour described',
    'how it treats an existing file, folders and content',
    says(
      workspaceCreateFile,
      'fails with FileExists when the file exists and overwrite is false',
      'Parent folders are created',
      'entire final content; it is written in one step',
    ),
  )
  verifies('TUL-004 §7.1 output described', 'what it answers', () => {
    says(workspaceCreateFile, 'the path, size in bytes, a content hash', 'created or overwritten')()
    const described = descriptionsOf(workspaceCreateFile.output)
    for (const field of ['path', 'sizeBytes', 'hash', 'created', 'overwritten'])
      expect(described[field], field).toBeTruthy()
  })
  verifies(
    'TUL-004 §7.2 guidance new sources',
    'for new sources and tests',
    says(workspaceCreateFile, 'Use it for new source, test,'),
  )
  verifies(
    'TUL-004 §7.2 guidance config and docs',
    'for new config, schema and documentation files',
    says(workspaceCreateFile, 'config, schema and documentation files'),
  )
  verifies(
    'TUL-004 §7.2 guidance full replacement',
    'for a full replacement with known content',
    says(workspaceCreateFile, 'to replace a file as a whole when you know all of its new content'),
  )
  verifies(
    [
      'TUL-004 §7.3 guidance not in place',
      'TUL-004 §7.4 guidance no edits',
      'TUL-004 §2.2 no partial edit',
    ],
    'edits go to the patch tool',
    says(
      workspaceCreateFile,
      'Do not use it to change part of a file',
      'use workspace_write_patch',
    ),
  )
  verifies(
    'TUL-004 §7.3 guidance not append',
    'not to append',
    says(workspaceCreateFile, 'Do not use it to change part of a file or to append'),
  )
  verifies(
    'TUL-004 §7.3 guidance not binary',
    'not for binary content',
    says(workspaceCreateFile, 'Do not use it', 'for binary content'),
  )
  verifies(
    'TUL-004 §7.3 guidance not outside',
    'paths outside the workspace fail',
    says(workspaceCreateFile, 'or for paths outside the workspace (they fail)'),
  )
  verifies(
    'TUL-004 §7.4 guidance full content',
    'the whole content in one call',
    says(workspaceCreateFile, 'Always send the entire final content'),
  )
  verifies(
    'TUL-004 §7.4 guidance relative path',
    'a relative path with its folders',
    says(workspaceCreateFile, 'a path relative to the workspace with its folders'),
  )
  verifies(
    'TUL-004 §7.4 guidance overwrite intended',
    'overwrite only when it is meant, and ask when unsure',
    says(
      workspaceCreateFile,
      'overwrite: true only when you mean to replace the file',
      'not sure that it should be replaced, ask the person',
    ),
  )
  verifies(
    'TUL-004 §7.4 guidance no escape',
    'no absolute path and no ..',
    says(workspaceCreateFile, 'no absolute path and no ".."'),
  )
  verifies(
    'TUL-004 §7.5 guidance existing folders',
    'folders that exist come first',
    says(workspaceCreateFile, 'Choose folders that exist in the workspace snapshot'),
  )
  verifies(
    'TUL-004 §7.5 guidance existing patterns',
    'the patterns of the tree are followed',
    says(workspaceCreateFile, 'follow the patterns you see there'),
  )
  verifies(
    'TUL-004 §7.5 guidance related files',
    'related files stay together',
    says(workspaceCreateFile, 'tests next to their project', 'keep related files together'),
  )
  verifies(
    'TUL-004 §7.5 guidance new folders',
    'a new folder only where none fits',
    says(workspaceCreateFile, 'make a new folder only where none fits'),
  )
  verifies(
    'TUL-004 §7.6 guidance act',
    'a clear place is acted on',
    says(workspaceCreateFile, 'When the place is clear, act'),
  )
  verifies(
    'TUL-004 §7.6 guidance ask',
    'an unclear one is asked about',
    says(
      workspaceCreateFile,
      'several places are equally plausible, ask the person one short question',
    ),
  )
})

describe('limits of creating a file', () => {
  verifies(
    [
      'TUL-004 §1 whole files only',
      'TUL-004 §2.2 no delete or move',
      'TUL-004 §2.2 content as text',
    ],
    'its arguments have nothing for a partial edit, a delete, a move or bytes',
    () => {
      expect(Object.keys(workspaceCreateFile.input.shape)).toEqual([
        'path',
        'content',
        'overwrite',
        'eol',
      ])
      expect(toPlainSchema(workspaceCreateFile.input).properties).toMatchObject({
        content: { type: 'string' },
      })
    },
  )
})

type Schemas = Record<string, { enum?: unknown; items?: { properties?: Schemas } } | undefined>

/** Some sentence of the guidance has each of the phrases. */
function says(declaration: ToolDeclaration, ...phrases: string[]) {
  return () => {
    for (const phrase of phrases)
      expect(sentencesOf(declaration.guidance)).toContainEqual(expect.stringContaining(phrase))
  }
}

function descriptionsOf(schema: ToolDeclaration['input']): Record<string, string | undefined> {
  const properties = toPlainSchema(schema).properties as Record<string, { description?: string }>
  return Object.fromEntries(
    Object.entries(properties).map(([name, { description }]) => [name, description]),
  )
}
