import { argument, type CommandGroup, choice, defineCommand, option } from '@filewright/host'
import { CLIENTS } from './setup/clients.ts'

const TOOLSETS = ['workshop', 'workspace'] as const

const toolset = choice('--toolset <toolset>', 'which tools it offers (default: workshop)', TOOLSETS)
const dir = argument('[dir]', 'the folder to work on (default: this one)')

const serve = defineCommand({
  name: 'serve',
  showsProgress: true,
  summary: 'our tools on stdin and stdout: "filewright mcp DIR" is the same',
  isDefault: true,
  arguments: { dir },
  options: {
    cwd: option('-C, --cwd <dir>', 'the same as DIR'),
    toolset,
    publish: choice(
      '--publish <policy>',
      'who says yes to publish, discard, undo and redo (default: a person, or the setting agent-publish)',
      ['ask', 'auto', 'never'],
    ),
    allowLarge: option('--allow-large', 'scan a home folder, a disk root or a very large tree'),
  },
  run: async (given, host) => (await import('./stdio.ts')).serveStdin(given, host),
})

const install = defineCommand({
  name: 'install',
  summary: 'print or write the configuration that adds it to a client',
  arguments: { client: argument('<client>', CLIENTS.join(', ')), dir },
  options: {
    toolset,
    write: option('--write', 'write it into the configuration of the client'),
  },
  run: async given => (await import('./commands/install.ts')).install(given),
})

const doctor = defineCommand({
  name: 'doctor',
  summary: 'start it as a client would, list its tools and make one call',
  arguments: { dir },
  options: { toolset },
  run: async given => (await import('./commands/doctor.ts')).doctor(given),
})

const mcp: CommandGroup = {
  name: 'mcp',
  summary: 'our tools for another agent, over the Model Context Protocol',
  commands: [serve, install, doctor],
}
export default mcp
