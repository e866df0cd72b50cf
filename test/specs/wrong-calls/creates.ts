import { asCorrected, INVALID, relative, told, type WrongCall } from './wrong-call.ts'

export const creates: readonly WrongCall[] = [
  create(
    'a file that exists',
    { path: 'src/app.ts', content: 'new\n' },
    'FileExists',
    (answer, sent) => {
      told(answer, 'with overwrite: true')
      return { args: { ...sent, overwrite: true } }
    },
    { 'Src/App.ts': 'new\n' },
  ),
  create('an absolute path', { path: '/lib/new.ts', content: 'new\n' }, 'InvalidPath', relative),
  create(
    'a path that climbs out',
    { path: '../lib/new.ts', content: 'new\n' },
    'InvalidPath',
    relative,
  ),
  create('a drive', { path: 'C:\\lib\\new.ts', content: 'new\n' }, 'InvalidPath', relative),
  create(
    'a name that is a file on the way',
    { path: 'notes.md/new.ts', content: 'new\n' },
    'DirectoryCreateFailed',
    (answer, sent) => {
      const taken = /folder "([^"]+)" cannot/.exec(answer.message)![1]!
      return { args: { ...sent, path: sent.path.replace(taken, 'lib') } }
    },
  ),
  create(
    'other names for path and content',
    { filename: 'lib/new.ts', text: 'new\n' },
    INVALID,
    asCorrected,
  ),
  create(
    'content as a list of lines',
    { path: 'lib/new.ts', content: ['new', ''] },
    INVALID,
    asCorrected,
  ),
  create(
    'content as an object',
    { path: 'lib/new.json', content: { a: 1 } },
    INVALID,
    asCorrected,
    {
      'lib/new.json': '{\n  "a": 1\n}',
    },
  ),
  create(
    'overwrite as text',
    { path: 'lib/new.ts', content: 'new\n', overwrite: 'false' },
    INVALID,
    asCorrected,
  ),
]

function create(
  title: string,
  args: object,
  code: string,
  next: NonNullable<WrongCall['next']>,
  written: WrongCall['written'] = { 'lib/new.ts': 'new\n' },
): WrongCall {
  return { title, tool: 'workspace_create_file', args, code, next, written }
}
