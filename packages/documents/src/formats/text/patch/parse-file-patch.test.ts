import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { parseBatch, parseFilePatch } from './parse-file-patch.ts'

const VERSION = 'e3b0c442'
const replaceLine = {
  operation: 'replace',
  startLine: 2,
  endLine: 2,
  expectedOriginalLines: ['b'],
  newLines: ['B'],
}
const file = (...changes: unknown[]) => ({ docPath: 'src/a.ts', originalSha256: VERSION, changes })

function problemsOf(result: {
  ok: boolean
  failure?: { errors: readonly string[]; message: string }
}): readonly string[] {
  if (result.ok || !result.failure) throw new Error('accepted, where a refusal was expected')
  expect(result.failure.message).toMatch(/^Nothing was written: /)
  return result.failure.errors
}
const refused = (...changes: unknown[]) => problemsOf(parseFilePatch(file(...changes)))
const parsed = (...changes: unknown[]) => unwrap(parseFilePatch(file(...changes)))

describe('the batch', () => {
  verifies(
    ['TUL-002 §4.1 example', 'TUL-002 §4 batch', 'TUL-002 §2.1 labels at each level'],
    'carries labels and keys at each level',
    () => {
      const batch = {
        batchLabel: 'Add SystemPrompt',
        batchKey: 'add-systemprompt',
        files: [
          {
            fileKey: 'one',
            fileLabel: 'wire it',
            ...file({ ...replaceLine, changeKey: 'k', description: 'why' }),
          },
          {
            docPath: 'src/b.ts',
            originalSha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
            changes: [replaceLine],
          },
        ],
      }
      expect(unwrap(parseBatch(batch))).toEqual({ value: batch, warnings: [] })
    },
  )
  verifies(['TUL-002 §4.1.1 files required', 'CONTRACT §5 files non-empty'], 'needs files', () => {
    expect(problemsOf(parseBatch({ files: [] }))).toEqual([
      'files: is empty; name at least one file',
    ])
    expect(problemsOf(parseBatch({}))).toEqual([
      'files: is missing; it must be a list of {docPath, originalSha256, changes}, the changes of each a list of {operation: "insert", afterLine, newLines} or {operation: "replace", startLine, endLine, expectedOriginalLines, newLines} or {operation: "delete", startLine, endLine, expectedOriginalLines}',
    ])
    expect(problemsOf(parseBatch({ path: 'a', changes: [] }))[0]).toBe(
      'path: path, changes are not a field here; it takes batchLabel, batchKey, files. Changes are whole lines',
    )
  })
  verifies(
    ['TUL-002 §4.1.1 docPath at most once', 'CONTRACT §5 docPath once'],
    'names a file once, in any spelling',
    () => {
      const result = parseBatch({
        files: [file(replaceLine), { ...file(replaceLine), docPath: '.\\SRC\\A.ts' }],
      })
      expect(result).toMatchObject({
        ok: false,
        failure: { code: 'DUPLICATE_PATH', kind: 'conflict' },
      })
      expect(problemsOf(result)[0]).toContain(
        'files[1].docPath: names "src/a.ts" again, which files[0] names already',
      )
    },
  )
  verifies(
    [
      'TUL-002 §4.2.1 docPath required',
      'TUL-002 §4.2.1 originalSha256 required',
      'TUL-002 §4.2.1 sha256 hex',
      'CONTRACT §5 base well-formed',
      'TUL-002 §10 sha format rejected',
    ],
    'needs a path and a well-formed hash or version',
    () => {
      expect(problemsOf(parseBatch({ files: [{ changes: [replaceLine] }] }))).toEqual([
        'files[0].docPath: is missing; it must be a string',
        'files[0].originalSha256: is missing; it must be a string',
      ])
      for (const originalSha256 of ['xyz', 'e3b0c44', 'e3b0c442'.repeat(9)])
        expect(problemsOf(parseFilePatch({ ...file(replaceLine), originalSha256 }))[0]).toContain(
          'files[0].originalSha256: Cannot use',
        )
      expect(problemsOf(parseFilePatch({ ...file(replaceLine), docPath: '../x' }))[0]).toContain(
        'files[0].docPath: Cannot use the path',
      )
    },
  )
})

describe('changes', () => {
  verifies(
    [
      'TUL-002 §4.2.1 changes required',
      'TUL-002 §4.2.1 changes non-empty',
      'CONTRACT §5 changes non-empty',
    ],
    'are needed unless the whole file is to change',
    () => {
      expect(refused()[0]).toContain(
        'files[0].changes: is empty, and neither finalNewline, eol nor bom is given',
      )
      const { changes: _, ...bare } = file()
      expect(problemsOf(parseFilePatch(bare))[0]).toContain('files[0].changes: is missing')
      for (const asked of [{ finalNewline: true }, { eol: 'lf' }, { bom: false }]) {
        expect(unwrap(parseFilePatch({ ...file(), ...asked })).value).toMatchObject({
          changes: [],
          ...asked,
        })
        expect(unwrap(parseFilePatch({ ...bare, ...asked })).value).toMatchObject({
          changes: [],
          ...asked,
        })
      }
    },
  )
  verifies(
    [
      'TUL-002 §5 three operations',
      'TUL-002 §5.1.1 operation required',
      'TUL-002 §1 line operations',
    ],
    'are insert, replace or delete',
    () => {
      expect(refused({ ...replaceLine, operation: 'append' })).toEqual([
        'files[0].changes[0].operation: is "append"; it must be "insert", "replace" or "delete"',
      ])
      expect(refused({})).toEqual([
        'files[0].changes[0].operation: is missing; it must be "insert", "replace" or "delete"',
      ])
    },
  )
  verifies(
    [
      'TUL-002 §2.1 whole lines only',
      'TUL-002 §5.1.1 full-line rule',
      'CONTRACT §5 fields per operation',
    ],
    'take whole lines: a field of another kind is refused with those it takes',
    () => {
      const [problem] = refused({ ...replaceLine, startColumn: 3 })
      expect(problem).toContain(
        'files[0].changes[0].startColumn: is not a field here; a change of the kind replace takes operation, startLine, endLine, expectedOriginalLines, newLines',
      )
      expect(problem).toContain('Changes are whole lines')
    },
  )
  verifies(
    [
      'TUL-002 §5.2 afterLine required',
      'TUL-002 §5.2 newLines required',
      'TUL-002 §5.2 newLines at least one',
    ],
    'insert needs afterLine and at least one line',
    () => {
      expect(refused({ operation: 'insert' })).toEqual([
        'files[0].changes[0].afterLine: is missing; it must be a whole number',
        'files[0].changes[0].newLines: is missing; it must be a list of lines',
      ])
      expect(refused({ operation: 'insert', afterLine: -1, newLines: [] })).toEqual([
        'files[0].changes[0].afterLine: is -1; it must be 0 or more',
        'files[0].changes[0].newLines: is an empty list; it must be a list with at least one line',
      ])
      expect(refused({ operation: 'insert', afterLine: 1.5, newLines: ['x'] })[0]).toContain(
        'is 1.5; it must be a whole number',
      )
    },
  )
  verifies(
    [
      'TUL-002 §5.3 startLine required',
      'TUL-002 §5.3 endLine required',
      'TUL-002 §5.3 expectedOriginalLines required',
      'TUL-002 §5.3 newLines required',
      'TUL-002 §5.4 startLine required',
      'TUL-002 §5.4 endLine required',
      'TUL-002 §5.4 expectedOriginalLines required',
    ],
    'replace and delete need their range and the lines in it',
    () => {
      for (const operation of ['replace', 'delete'])
        expect(refused({ operation }).map(problem => problem.split(':')[0])).toEqual(
          [
            'startLine',
            'endLine',
            'expectedOriginalLines',
            ...(operation === 'replace' ? ['newLines'] : []),
          ].map(field => `files[0].changes[0].${field}`),
        )
      expect(refused({ ...replaceLine, startLine: 0 })).toEqual([
        'files[0].changes[0].startLine: is 0; it must be 1 or more',
      ])
      expect(refused({ ...replaceLine, startLine: 3 })[0]).toContain(
        'endLine: is 2, before startLine 3',
      )
    },
  )
  verifies(
    ['TUL-002 §5.4 newLines forbidden', 'CONTRACT §5 newLines absent on delete'],
    'delete takes no newLines, not even an empty list',
    () => {
      const { newLines: _, ...range } = replaceLine
      expect(refused({ ...range, operation: 'delete', newLines: [] })[0]).toContain(
        'newLines: is not a field here',
      )
    },
  )
  verifies('CONTRACT §5 expected count', 'expect as many lines as the range has', () => {
    expect(refused({ ...replaceLine, endLine: 4 })).toEqual([
      'files[0].changes[0].expectedOriginalLines: has 1 line, but lines 2 to 4 are 3; give each line of the range, verbatim',
    ])
  })
  verifies(
    ['TUL-002 §5.1 common fields', 'TUL-002 §5.1.1 changeId not needed in requests'],
    'carry key and description; an id that was sent is dropped',
    () => {
      const { value } = parsed({
        ...replaceLine,
        changeKey: 'k',
        description: 'why',
        changeId: 'mine',
      })
      expect(value.changes).toEqual([{ ...replaceLine, changeKey: 'k', description: 'why' }])
    },
  )
})

describe('overlaps', () => {
  const range = (startLine: number, endLine: number) => ({
    operation: 'delete',
    startLine,
    endLine,
    expectedOriginalLines: Array(endLine - startLine + 1).fill('x'),
  })
  const insertAfter = (afterLine: number) => ({ operation: 'insert', afterLine, newLines: ['n'] })
  verifies(
    [
      'TUL-002 §6 no overlap',
      'CONTRACT §5 disjoint',
      'TUL-002 §10 overlap rejected',
      'TUL-002 §10 ranges rejected',
    ],
    'are refused and both changes named',
    () => {
      expect(refused(range(10, 12), range(11, 11))).toEqual([
        'files[0].changes[1]: delete line 11 overlaps files[0].changes[0], delete lines 10-12; join them into one change',
      ])
      expect(refused(range(11, 11), range(10, 12))).toHaveLength(1)
    },
  )
  verifies(
    'CONTRACT §5 insert inside a range',
    'an insert strictly inside a range overlaps it',
    () => {
      expect(refused(range(10, 12), insertAfter(11))[0]).toContain('insert after line 11 overlaps')
      expect(refused(range(10, 12), insertAfter(10))[0]).toContain('insert after line 10 overlaps')
    },
  )
  verifies('CONTRACT §5 insert at a border', 'an insert at a border does not', () => {
    expect(parsed(insertAfter(9), range(10, 12), insertAfter(12), range(13, 13)).warnings).toEqual(
      [],
    )
  })
})

verifies(
  ['CONTRACT §5 all problems at once', 'CONTRACT §5 problems with their path'],
  'all problems come at once, each with its place in the arguments',
  () => {
    const bad = {
      batchLabel: 3,
      files: [
        file(replaceLine, { ...replaceLine, endLine: 'two' }, replaceLine, { operation: 'x' }),
        { docPath: 'b.ts', originalSha256: 'nothex!!', changes: [replaceLine], column: 1 },
      ],
    }
    expect(problemsOf(parseBatch(bad)).map(problem => problem.split(': ')[0])).toEqual([
      'batchLabel',
      'files[0].changes[1].endLine',
      'files[0].changes[3].operation',
      'files[0].changes[2]',
      'files[1].column',
      'files[1].originalSha256',
    ])
  },
)

describe('tolerated with a warning', () => {
  verifies('CONTRACT §5 tolerates JSON string', 'lists sent as JSON text', () => {
    const { value, warnings } = unwrap(
      parseBatch({
        files: JSON.stringify([{ ...file(), changes: JSON.stringify([replaceLine]) }]),
      }),
    )
    expect(value.files[0]!.changes).toEqual([replaceLine])
    expect(warnings).toEqual([
      'files: was sent as a JSON string and read as a list; send the list itself',
      'files[0].changes: was sent as a JSON string and read as a list; send the list itself',
    ])
    expect(problemsOf(parseBatch({ files: 'not json' }))).toEqual([
      expect.stringMatching(/^files: is "not json"; it must be a list of \{docPath, /),
    ])
  })
  verifies(
    'CONTRACT §5 tolerates unsorted',
    'changes that are not in the order of their lines',
    () => {
      const { value, warnings } = parsed(
        { operation: 'insert', afterLine: 7, newLines: ['n'] },
        replaceLine,
      )
      expect(warnings).toEqual([
        'files[0].changes: were not in the order of their lines and have been sorted',
      ])
      expect(value.changes).toHaveLength(2)
    },
  )
  verifies('CONTRACT §5 tolerates newline inside', 'lines with their newlines inside', () => {
    const { value, warnings } = parsed({
      operation: 'insert',
      afterLine: 1,
      newLines: ['a\nb', 'c\r\n', '\n', 'd'],
    })
    expect(value.changes[0]).toMatchObject({ newLines: ['a', 'b', 'c', '', 'd'] })
    expect(warnings).toEqual([
      'files[0].changes[0].newLines: contained line ends inside its lines and was split there',
    ])
    expect(
      parsed({ ...replaceLine, endLine: 3, expectedOriginalLines: ['b\nc\n'] }).value.changes[0],
    ).toMatchObject({ expectedOriginalLines: ['b', 'c'] })
  })
  test('the carriage returns of a CRLF text cut at LF', () => {
    const { value, warnings } = parsed({ ...replaceLine, newLines: ['x\r', 'y\r'] })
    expect(value.changes[0]).toMatchObject({ newLines: ['x', 'y'] })
    expect(warnings).toHaveLength(1)
  })
  test('one neighbour as a string', () => {
    const { value } = parsed({
      operation: 'insert',
      afterLine: 1,
      newLines: ['x'],
      expectedBefore: 'a',
    })
    expect(value.changes[0]).toMatchObject({ expectedBefore: ['a'] })
  })
})
