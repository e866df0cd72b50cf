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

const add = defineCommand({
  name: 'add',
  summary: 'give our runs the tools of an MCP server: NAME -- PROGRAM ARGUMENT…, or NAME --url URL',
  details: () =>
    [
      'filewright mcp add tickets --pass TICKETS_TOKEN -- npx -y tickets-mcp',
      'filewright mcp add search --url https://mcp.example/mcp --header "Authorization: Bearer …"',
      '',
      'The server is started once, and its tools are shown. Runs offer them as NAME__tool. Every call',
      'asks you until you answer "always"; no --approve covers it. The program gets a clean environment.',
    ].join('\n'),
  arguments: {
    name: argument('<name>', 'what its tools are named after'),
    command: argument('[command...]', 'the program that is the server, after "--"'),
  },
  options: {
    url: option('--url <url>', 'the address of a server over HTTP, instead of a program'),
    header: option('--header <header...>', 'a header for the address: "NAME: VALUE"'),
    env: option('--env <variable...>', 'a variable for the program: NAME=VALUE'),
    pass: option('--pass <name...>', 'a variable to pass on from where Filewright runs'),
  },
  run: async given => (await import('./commands/outside.ts')).add(given),
})

const list = defineCommand({
  name: 'list',
  summary: 'the MCP servers of our runs, with their tools as they are now',
  options: { json: option('--json', 'as JSON') },
  run: async given => (await import('./commands/outside.ts')).list(given),
})

const remove = defineCommand({
  name: 'remove',
  summary: 'give our runs the tools of an MCP server no more',
  arguments: { name: argument('<name>', 'as list shows it') },
  run: async given => (await import('./commands/outside.ts')).remove(given),
})

const mcp: CommandGroup = {
  name: 'mcp',
  summary:
    'our tools for another agent over the Model Context Protocol, and tools of other servers for ours',
  commands: [serve, install, doctor, add, list, remove],
}
export default mcp
