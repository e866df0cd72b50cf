import { choice, defineCommand, naming, option } from '@filewright/host'
import { folder, large } from '../options.ts'

export default defineCommand({
  name: 'session',
  showsProgress: true,
  summary: 'an interactive session on the folder; "filewright" alone does the same',
  options: {
    model: naming(
      'models',
      option('--model <name>', 'PROVIDER/ID, or an id alone for the base URL'),
    ),
    toolset: choice(
      '--toolset <name>',
      'the tools for the model; default: workshop (any file, to a draft); workspace: source code, each change needs approval',
      ['workshop', 'workspace'],
    ),
    plan: option('--plan', 'plan first: read only, until you approve the plan'),
    continue: option('--continue', 'go on with the conversation used last in this folder'),
    session: naming('sessions', option('--session <id>', 'go on with this one')),
    plain: option('--plain', 'plain lines, for a screen reader or a simple terminal'),
    cwd: folder,
    allowLarge: large,
  },
  run: async (given, host) => (await import('./session.ts')).session(given, host),
})
