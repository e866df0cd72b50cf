import { argument, defineCommand, naming, option } from '@filewright/host'
import { folder, large } from '../options.ts'

export default defineCommand({
  name: 'call',
  showsProgress: true,
  summary: 'one tool call; prints its envelope as JSON',
  arguments: {
    tool: naming('tools', argument('[tool]', 'name of the tool')),
    json: argument('[json]', 'its arguments as JSON, or - to read them from stdin'),
  },
  options: {
    lines: option(
      '--lines',
      'one {"tool","arguments","id"?} per line in, one {"id","result"} per line out',
    ),
    yes: option('--yes', 'approve what the gate would ask about'),
    cwd: folder,
    allowLarge: large,
  },
  run: async (given, host) => (await import('./call.ts')).call(given, host),
})
