import { choice, defineCommand, option } from '@filewright/host'

const acp = defineCommand({
  name: 'acp',
  showsProgress: true,
  summary: 'our agent in an editor, over the Agent Client Protocol on stdin and stdout',
  options: {
    model: option('--model <name>', 'PROVIDER/ID, or an id alone for the base URL'),
    mode: choice(
      '--mode <mode>',
      'what a new session begins with: workshop (edits go to a draft), workspace (each change is asked for) or plan; default: workshop',
      ['workshop', 'workspace', 'plan'],
    ),
    allowLarge: option('--allow-large', 'scan a home folder, a disk root or a very large tree'),
  },
  run: async (given, host) => (await import('./stdio.ts')).serveStdin(given, host),
})
export default acp
