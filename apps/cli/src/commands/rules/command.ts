import {
  argument,
  type CommandGroup,
  choice,
  defineCommand,
  naming,
  option,
  parsed,
  required,
} from '@filewright/host'
import { fail, ok, type Result } from '@filewright/protocol'
import { asData, folder } from '../options.ts'

const list = defineCommand({
  name: 'list',
  summary: 'every rule of the folder',
  isDefault: true,
  options: { json: asData, cwd: folder },
  run: async (given, host) => (await import('./rules.ts')).list(given, host),
})

const add = defineCommand({
  name: 'add',
  summary:
    'answer matching writes like this, or open a key file; the rule with the most exact path wins',
  options: {
    effect: required(
      choice(
        '--effect <effect>',
        'write: without asking; read: opens the key file at this exact path; scan: yes to a home folder, a disk root or a very large tree; instructions: yes to what the file at this exact path tells agents now; call: yes to one tool of an MCP server, as it was defined when you added it; allow: the older word for write',
        ['write', 'read', 'deny', 'ask', 'scan', 'instructions', 'call', 'allow'],
      ),
    ),
    tool: option('--tool <name>', 'only this tool (default: every tool)'),
    path: option(
      '--path <glob>',
      'only these paths, such as src/** or *.{md,txt} (default: every path)',
    ),
    maxBytes: parsed('--max-bytes <n>', 'only up to this many bytes of new content', toBytes),
    cwd: folder,
  },
  run: async (given, host) => (await import('./rules.ts')).add(given, host),
})

const remove = defineCommand({
  name: 'remove',
  summary: 'ask again',
  arguments: { id: naming('rules', argument('<id>', 'as list shows it')) },
  options: { cwd: folder },
  run: async (given, host) => (await import('./rules.ts')).remove(given, host),
})

const rules: CommandGroup = {
  name: 'rules',
  summary: 'what the gate answers by itself',
  commands: [list, add, remove],
}

export default rules

function toBytes(text: string): Result<number> {
  if (/^\d{1,15}$/.test(text)) return ok(Number(text))
  return fail('INVALID_ARGUMENT', 'It must be a whole number of bytes, such as 5000.')
}
