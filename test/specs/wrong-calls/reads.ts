import {
  asCorrected,
  bySimilar,
  FILES,
  INVALID,
  patch,
  publishBook,
  relative,
  replaceTwo,
  told,
  type WrongCall,
} from './wrong-call.ts'

export const reads: readonly WrongCall[] = [
  read('a path that is mistyped', { path: 'src/ap.ts' }, 'NOT_FOUND', bySimilar),
  read('a file without its folder', { path: 'app.ts' }, 'NOT_FOUND', bySimilar),
  read('a folder', { path: 'Src' }, 'NOT_FOUND', answer => ({
    args: { path: answer.similar.find((path: string) => path.endsWith('App.ts')) },
  })),
  read('a chunkPath', { path: 'src/app.ts#function:two' }, 'NOT_FOUND', answer => ({
    args: { path: answer.docPath },
  })),
  read('an absolute path', { path: '/src/app.ts' }, INVALID, relative),
  read('a path with ..', { path: 'src/../src/app.ts' }, INVALID, (answer, sent) => {
    told(answer, 'relative to the workspace root')
    return { args: { path: sent.path.replace('src/../', '') } }
  }),
  read('the argument under another name', { file: 'src/app.ts' }, INVALID, asCorrected),
  read(
    'maxBytes 0',
    { path: 'src/app.ts', maxBytes: 0 },
    INVALID,
    (answer, { maxBytes, ...rest }) => {
      told(answer, 'Leave it out')
      return { args: rest }
    },
  ),
  read('maxBytes as text', { path: 'src/app.ts', maxBytes: '1000' }, INVALID, asCorrected),
  read(
    'a first line beyond the end',
    { path: 'src/app.ts', lineStart: 90 },
    'NO_SUCH_REGION',
    (answer, sent) => ({
      args: { ...sent, lineStart: answer.lineCount - 4 },
    }),
  ),
  read(
    'a file that is active',
    { path: 'notes.md' },
    'ALREADY_IN_CONTEXT',
    answer => ({
      tool: 'workspace_write_patch',
      args: patch(
        [
          {
            ...replaceTwo,
            startLine: 3,
            endLine: 3,
            expectedOriginalLines: ['first'],
            newLines: ['1st'],
          },
        ],
        {
          docPath: answer.docPath,
          originalSha256: answer.version,
        },
      ),
    }),
    async product => {
      const params = { sessionId: product.sessionId }
      await product.ask('addActiveFile', { params, body: { path: 'notes.md' } })
    },
  ),
  {
    title: 'a workbook',
    tool: 'workspace_read_file',
    before: publishBook,
    args: { path: 'book.xlsx' },
    code: INVALID,
    next: (answer, sent) => ({ tool: /bytes\. (\w+)/.exec(answer.message)![1]!, args: sent }),
    expected: { path: 'Book.xlsx' },
  },
  {
    title: 'arguments that are cut off',
    tool: 'workspace_read_file',
    args: '{"path": "src/app.ts"',
    code: INVALID,
    next: (answer, sent) => {
      told(answer, 'Send one JSON object')
      return { args: `${sent}}` }
    },
  },
  {
    title: 'a tool that is misspelt',
    tool: 'workspace_readfile',
    args: { path: 'src/app.ts' },
    code: 'UNKNOWN_TOOL',
    next: (answer, sent) => ({ tool: answer.similar[0], args: sent }),
    expected: { file: { docPath: 'src/app.ts' } },
  },
  {
    title: 'a tool of another product',
    tool: 'bash',
    args: { command: 'cat src/app.ts' },
    code: 'UNKNOWN_TOOL',
    next: answer => ({
      tool: answer.tools.find((name: string) => name.endsWith('read_file')),
      args: { path: 'src/app.ts' },
    }),
    expected: { file: { docPath: 'src/app.ts' } },
  },
  {
    title: 'an id of a patch that does not exist',
    tool: 'workspace_get_patch_change',
    before: product => product.call('workspace_write_patch', patch([replaceTwo])),
    args: { id: 'bat_0' },
    code: 'NOT_FOUND',
    next: answer => ({ args: { id: answer.newest[0] } }),
    expected: { files: [{ docPath: 'src/app.ts' }] },
  },
  {
    title: 'a page that is too long',
    tool: 'workspace_list_files',
    args: { limit: 100_000 },
    code: INVALID,
    next: answer => ({ args: { limit: Number(/(\d+) or less/.exec(answer.message)![1]) } }),
    expected: { total: Object.keys(FILES).length },
  },
]

function read(
  title: string,
  args: object,
  code: string,
  next: NonNullable<WrongCall['next']>,
  before?: WrongCall['before'],
): WrongCall {
  return { title, tool: 'workspace_read_file', args, code, next, ...(before && { before }) }
}
