import { argument, type CommandGroup, defineCommand, naming, option } from '@filewright/host'
import { asData, folder, large } from '../options.ts'

const common = {
  session: naming(
    'sessions',
    option('--session <id>', 'which session (default: the one with a run in progress)'),
  ),
  cwd: folder,
  allowLarge: large,
}

const queue: CommandGroup = {
  name: 'queue',
  summary: 'messages that wait for a run in progress',
  commands: [
    defineCommand({
      name: 'list',
      summary: 'list them',
      isDefault: true,
      options: { ...common, json: asData },
      run: async (given, host) => (await import('./queue.ts')).list(given, host),
    }),
    defineCommand({
      name: 'take-back',
      summary: 'take one back before the model is given it',
      arguments: { messageId: argument('<messageId>', 'as "filewright queue" names it') },
      options: common,
      run: async (given, host) => (await import('./queue.ts')).takeBack(given, host),
    }),
  ],
}

export default queue
