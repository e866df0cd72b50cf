import type { Answer, Embedded } from '../../embedded.ts'
import {
  asCorrected,
  INVALID,
  patch,
  publishBook,
  replaceTwo,
  TWO,
  told,
  VERSION,
  type WrongCall,
} from './wrong-call.ts'

/** `replaceTwo` with some fields changed. */
function change(fields: object) {
  return patch([{ ...replaceTwo, ...fields }])
}

/** One wrong patch that comes back corrected and then writes TWO. */
function patched(title: string, args: unknown, code: string = INVALID): WrongCall {
  return { title, tool: 'workspace_write_patch', args, code, next: asCorrected, written: TWO }
}

const { endLine: _, ...withoutEnd } = replaceTwo
const { expectedOriginalLines: __, ...withoutExpected } = replaceTwo

export const patches: readonly WrongCall[] = [
  patched(
    'a version the file never had',
    patch([replaceTwo], { originalSha256: 'deadbeef' }),
    'CONFLICT',
  ),
  patched(
    'a mistyped full hash',
    patch([replaceTwo], { originalSha256: `${VERSION}${'0'.repeat(56)}` }),
    'CONFLICT',
  ),
  patched(
    'a version that is too short',
    patch([replaceTwo], { originalSha256: VERSION.slice(0, 5) }),
  ),
  patched('a version that is no hex', patch([replaceTwo], { originalSha256: 'latest' })),
  patched('no version', patch([replaceTwo], { originalSha256: undefined })),
  patched('lines one too low', change({ startLine: 3, endLine: 3 })),
  patched('lines one too high', change({ startLine: 1, endLine: 1 })),
  patched('a line beyond the end', change({ startLine: 40, endLine: 40 })),
  patched('a range one longer than its lines', change({ endLine: 3 })),
  patched('an end before the start', change({ endLine: 1 })),
  patched('no endLine', patch([withoutEnd])),
  patched('line numbers as text', change({ startLine: '2', endLine: '2' })),
  patched('lines as one text', change({ expectedOriginalLines: 'two', newLines: 'TWO' })),
  patched(
    'the `2|` of a read pasted into lines',
    change({ expectedOriginalLines: ['2|two'], newLines: ['2|TWO'] }),
  ),
  patched('another word for replace', change({ operation: 'update' })),
  patched(
    'the operation under another name',
    patch([{ ...replaceTwo, operation: undefined, type: 'replace' }]),
  ),
  patched('path and version instead of docPath and originalSha256', {
    files: [{ path: 'src/app.ts', version: VERSION, changes: [replaceTwo] }],
  }),
  patched('one file patch instead of a batch', patch([replaceTwo]).files[0]),
  patched('files as an object', { files: patch([replaceTwo]).files[0] }),
  patched('a docPath that is mistyped', patch([replaceTwo], { docPath: 'src/ap.ts' }), 'NOT_FOUND'),
  patched('a docPath without its folder', patch([replaceTwo], { docPath: 'app.ts' }), 'NOT_FOUND'),
  {
    ...patched(
      'a new file',
      patch([insertAfter(0, 'new')], { docPath: 'docs/new.md', originalSha256: 'e3b0c442' }),
      'NOT_FOUND',
    ),
    next: (answer, sent) => {
      told(answer, 'To create a new file use workspace_create_file')
      const [{ docPath: path, changes }] = sent.files
      return {
        tool: 'workspace_create_file',
        args: { path, content: `${changes[0].newLines.join('\n')}\n` },
      }
    },
    written: { 'docs/new.md': 'new\n' },
  },
  {
    ...patched(
      'one file in two entries',
      {
        files: [
          ...patch([replaceTwo]).files,
          ...patch([insertAfter(5, 'six')], { docPath: 'Src\\App.ts' }).files,
        ],
      },
      'DUPLICATE_PATH',
    ),
    written: { 'Src/App.ts': 'one\nTWO\nthree\nfour\nfive\nsix\n' },
  },
  {
    ...patched(
      'newLines on a delete',
      patch([{ ...replaceTwo, operation: 'delete', newLines: [] }]),
    ),
    written: { 'Src/App.ts': 'one\nthree\nfour\nfive\n' },
  },
  {
    ...patched('an insert beyond the end', patch([insertAfter(9, 'six')])),
    next: (answer, sent) => ({
      args: withChange(sent, { afterLine: answer.current[0].lineCount }),
    }),
    written: { 'Src/App.ts': 'one\ntwo\nthree\nfour\nfive\nsix\n' },
  },
  {
    ...patched(
      'white space that differs',
      patch(
        [
          {
            ...replaceTwo,
            startLine: 3,
            endLine: 3,
            expectedOriginalLines: ['    b = 2'],
            newLines: ['\tb = 3'],
          },
        ],
        { docPath: 'Src/indent.py', originalSha256: '' },
      ),
    ),
    next: (answer, sent) => ({
      args: withChange(
        sent,
        { expectedOriginalLines: [lineNow(answer, 3)] },
        answer.current[0].version,
      ),
    }),
    written: { 'Src/indent.py': 'if x:\n    a = 1\n\tb = 3\n' },
  },
  {
    ...patched('no expected lines', patch([withoutExpected])),
    next: (answer, sent) => ({
      args: withChange(sent, { expectedOriginalLines: [lineNow(answer, 2)] }),
    }),
  },
  {
    ...patched(
      'only the first line of a range',
      change({ endLine: 3, expectedOriginalLines: ['two'], newLines: ['TWO', 'three!'] }),
    ),
    next: allOfRange,
    written: { 'Src/App.ts': 'one\nTWO\nthree!\nfour\nfive\n' },
  },
  {
    ...patched('the lines of a long range cut short', change({ endLine: 4 })),
    next: allOfRange,
    written: { 'Src/App.ts': 'one\nTWO\nfive\n' },
  },
  {
    ...patched(
      'changes that overlap',
      patch([
        replaceTwo,
        { operation: 'delete', startLine: 2, endLine: 3, expectedOriginalLines: ['two', 'three'] },
      ]),
    ),
    next: (answer, sent) => {
      const [, second, first] = /changes\[(\d)\].* overlaps .*changes\[(\d)\]/.exec(answer.message)!
      const [one, other] = [Number(first), Number(second)].map(i => sent.files[0].changes[i])
      const joined = {
        ...one,
        endLine: other.endLine,
        expectedOriginalLines: other.expectedOriginalLines,
      }
      return { args: patch([joined]) }
    },
    written: { 'Src/App.ts': 'one\nTWO\nfour\nfive\n' },
  },
  {
    ...patched('an empty list of changes', patch([])),
    next: answer => {
      told(answer, 'say what to change')
      return { args: patch([replaceTwo]) }
    },
  },
  {
    ...patched(
      'a file that changed around the lines but not in them',
      patch([replaceTwo]),
      'CONFLICT',
    ),
    before: product => write(product, 'Src/App.ts', 'zero\ntwo\n3\nfour\nfive\n'),
    next: (answer, sent) => ({
      args: {
        files: [
          { ...sent.files[0], originalSha256: answer.version, changes: answer.correctedChanges },
        ],
      },
    }),
    written: { 'Src/App.ts': 'zero\nTWO\n3\nfour\nfive\n' },
  },
  {
    ...patched('lines that somebody changed meanwhile', patch([replaceTwo]), 'CONFLICT'),
    before: product => write(product, 'Src/App.ts', 'one\n2\nthree\nfour\nfive\n'),
    next: (answer, sent) => {
      const { firstLine, lines } = answer.conflicts[0].current
      const now = lines[2 - firstLine]
      return { args: withChange(sent, { expectedOriginalLines: [now] }, answer.version) }
    },
  },
  {
    ...patched(
      'a block that occurs twice',
      patch([{ ...replaceTwo, expectedOriginalLines: ['x'], newLines: ['y'] }], {
        docPath: 'src/twice.txt',
        originalSha256: undefined,
      }),
    ),
    next: (answer, sent) => {
      const line =
        answer.current[0].around[0].lines.lastIndexOf('x') + answer.current[0].around[0].firstLine
      return {
        args: withChange(sent, { startLine: line, endLine: line }, answer.current[0].version),
      }
    },
    written: { 'Src/twice.txt': 'x\nmiddle\ny\n' },
  },
  {
    ...patched('a workbook', patch([replaceTwo], { docPath: 'book.xlsx' })),
    before: publishBook,
    next: answer => ({
      tool: /Edit it with (\w+)/.exec(answer.message)![1]!,
      args: { path: answer.path, operations: [{ op: 'ensure_sheet', sheet: 'More' }] },
    }),
    written: {},
    expected: { path: 'Book.xlsx', changeCount: 1 },
  },
  tolerated(
    'files as JSON text',
    { files: JSON.stringify(patch([replaceTwo]).files) },
    'files: was sent as a JSON string',
  ),
  tolerated(
    'changes as JSON text',
    patch(JSON.stringify([replaceTwo])),
    'changes: was sent as a JSON string',
  ),
  tolerated('all arguments as JSON text', JSON.stringify(patch([replaceTwo]))),
  tolerated('capitals in the path', patch([replaceTwo], { docPath: 'SRC/APP.TS' })),
  tolerated('backslashes in the path', patch([replaceTwo], { docPath: 'Src\\App.ts' })),
  tolerated('./ before the path', patch([replaceTwo], { docPath: './src/app.ts' })),
  tolerated(
    'the newline inside a line',
    change({ expectedOriginalLines: ['two\n'], newLines: ['TWO\n'] }),
    'contained line ends inside',
  ),
  {
    ...tolerated(
      'changes from bottom to top',
      patch([
        {
          ...replaceTwo,
          startLine: 4,
          endLine: 4,
          expectedOriginalLines: ['four'],
          newLines: ['4'],
        },
        replaceTwo,
      ]),
      'have been sorted',
    ),
    written: { 'Src/App.ts': 'one\nTWO\nthree\n4\nfive\n' },
  },
]

function tolerated(title: string, args: unknown, warned?: string): WrongCall {
  const frame = { title, tool: 'workspace_write_patch', args, code: null, written: TWO }
  return { ...frame, ...(warned && { warned }) }
}

function insertAfter(afterLine: number, ...newLines: string[]) {
  return { operation: 'insert', afterLine, newLines }
}

/** The same call with its one change modified. */
function withChange(sent: Answer, fields: object, originalSha256?: string) {
  const [file] = sent.files
  const changes = [{ ...file.changes[0], ...fields }]
  return { files: [{ ...file, ...(originalSha256 && { originalSha256 }), changes }] }
}

function lineNow(answer: Answer, line: number): string {
  const { firstLine, lines } = answer.current[0].around[0]
  return lines[line - firstLine]
}

/** A model that sees the lines of its range and no correction, because a correction would be a guess. */
function allOfRange(answer: Answer, sent: Answer) {
  if (answer.corrected) throw new Error(`corrected: ${JSON.stringify(answer.corrected)}`)
  const [{ startLine, endLine }] = sent.files[0].changes
  const range = Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine + i)
  const expectedOriginalLines = range.map(line => lineNow(answer, line))
  return { args: withChange(sent, { expectedOriginalLines }) }
}

async function write(product: Embedded, path: string, content: string) {
  await product.call('workspace_read_file', { path })
  product.write(path, content)
}
