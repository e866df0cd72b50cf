import { Exit, SETTINGS } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'

const folder = () => new Option('-C, --cwd <dir>', 'the folder to work on (default: this one)')
const draft = () => new Option('--draft <id>', 'which draft (default: the one touched last)')
const draftId = () => new Argument('[draftId]', 'the same as --draft')
const asData = () => new Option('--json', 'as data')
const large = () =>
  new Option('--allow-large', 'scan a home folder, a disk root or a very large tree')

function ofDraft<Options extends { readonly draft?: string }>(
  id: string | undefined,
  options: Options,
): Options {
  if (id === undefined || id === options.draft) return options
  if (options.draft === undefined) return { ...options, draft: id }
  throw new Exit(EXIT_CODES.invalid, `name one draft, not both ${id} and ${options.draft}`)
}

/** Every command; its code is loaded when it runs. */
export function addCommands(program: Command): void {
  program
    .command('call')
    .description('one tool call; prints its envelope as JSON')
    .argument('[tool]', 'name of the tool')
    .argument('[json]', 'its arguments as JSON, or - to read them from stdin')
    .option('--lines', 'one {"tool","arguments","id"?} a line in, one {"id","result"} a line out')
    .option('--yes', 'approve what the gate would ask')
    .addOption(folder())
    .addOption(large())
    .action(async (tool, json, options) => (await import('./call.ts')).call(tool, json, options))

  const runOptions = (command: Command) =>
    command
      .option('--model <name>', 'PROVIDER/ID, or an id alone for the base URL')
      .addOption(
        new Option(
          '--publish <how>',
          'what becomes of the draft (auto: published when the run comes to its end); default: ask on a terminal, else never',
        ).choices(['ask', 'auto', 'never']),
      )
      .addOption(
        new Option(
          '--approve <how>',
          'what the gate does; default: ask on a terminal, else rules (what no rule allows waits)',
        ).choices(['ask', 'rules', 'all']),
      )
      .addOption(
        new Option('--output <form>', 'text, or one event a line')
          .choices(['text', 'json'])
          .default('text'),
      )
      .addOption(folder())
      .addOption(large())
  runOptions(
    program
      .command('run')
      .description('one task, without a conversation')
      .argument('<task>', 'what is wanted, in plain words')
      .addOption(
        new Option(
          '--toolset <name>',
          'which tools the model is offered; default: workshop (any file, to a draft); workspace: source code, each change asked about',
        ).choices(['workshop', 'workspace']),
      )
      .option('--active <paths...>', 'files that are in the context from the start')
      .option('--plan', 'read and plan only')
      .option('--budget-tokens <n>', 'stop when so many tokens were used', toAmount)
      .option('--budget-dollars <n>', 'stop when so much was spent', toAmount),
  ).action(async (task, options) => (await import('./run.ts')).run(task, options))
  runOptions(
    program
      .command('resume')
      .description('the next step of a stopped run')
      .argument('[session]', 'default: the one that stopped last'),
  ).action(async (session, options) => (await import('./run.ts')).resume(session, options))
  program
    .command('models')
    .description('what models are there')
    .addOption(asData())
    .action(async options => (await import('./models.ts')).listModels(options))

  program
    .command('config')
    .description('settings that outlive the environment; keys are kept readable by you alone')
    .argument('[action]', 'list, set or unset')
    .argument('[name]', SETTINGS.map(({ name }) => name).join(', '))
    .argument('[value]', 'for set')
    .addHelpText('after', () => `\n${settingsHelp()}`)
    .action(async (action, name, value) =>
      (await import('./config.ts')).config(action, name, value),
    )

  program
    .command('rpc')
    .description('JSON-RPC 2.0 on stdio, for products that embed the agent')
    .addOption(folder())
    .addOption(large())
    .action(async options => (await import('./rpc.ts')).rpc(options))

  program
    .command('tools')
    .description('the tool catalog')
    .option('--json', 'the whole catalog')
    .addOption(new Option('--openai', 'as an OpenAI function list').conflicts('json'))
    .addOption(new Option('--mcp', 'as an MCP tool list').conflicts(['json', 'openai']))
    .addOption(
      new Option('--markdown', 'as the reference in docs/tools.md').conflicts([
        'json',
        'openai',
        'mcp',
        'toolset',
      ]),
    )
    .addOption(
      new Option('--toolset <name>', 'only the tools of one toolset').choices([
        'workspace',
        'workshop',
      ]),
    )
    .action(async options => (await import('./tools.ts')).tools(options))

  const drafts = program.command('draft').description('list, show or discard drafts')
  drafts
    .command('list', { isDefault: true })
    .description('every draft of the folder')
    .addOption(folder())
    .addOption(asData())
    .action(async options => (await import('./draft.ts')).listDrafts(options))
  drafts
    .command('show')
    .description('as review')
    .addArgument(draftId())
    .addOption(folder())
    .addOption(draft())
    .addOption(asData())
    .action(async (id, options) => (await import('./draft.ts')).review(ofDraft(id, options)))
  drafts
    .command('discard')
    .description('give a draft up; no file changes')
    .addArgument(draftId())
    .addOption(folder())
    .addOption(draft())
    .action(async (id, options) => (await import('./draft.ts')).discard(ofDraft(id, options)))

  program
    .command('review')
    .description('the changes of a draft, as a person reads them')
    .addArgument(draftId())
    .addOption(asData())
    .addOption(folder())
    .addOption(draft())
    .action(async (id, options) => (await import('./draft.ts')).review(ofDraft(id, options)))

  program
    .command('publish')
    .description('write the accepted changes of a draft, all or none')
    .addArgument(draftId())
    .option('--yes', 'do not ask')
    .option('--only <ids...>', 'accept only these changes')
    .addOption(asData())
    .addOption(folder())
    .addOption(draft())
    .action(async (id, options) => (await import('./draft.ts')).publish(ofDraft(id, options)))

  for (const verb of ['undo', 'redo'] as const)
    program
      .command(verb)
      .description(verb === 'undo' ? 'take the last change set back' : 'take the last undo back')
      .argument(
        '[changeSetId]',
        `which one (default: the last that can be ${verb === 'undo' ? 'undone' : 'redone'})`,
      )
      .addOption(asData())
      .addOption(folder())
      .option('--draft <id>', 'the one that this draft was published as')
      .action(async (id, options) => (await import('./draft.ts')).takeBack(verb, id, options))

  const approvals = program.command('approvals').description('what waits for a person')
  approvals
    .command('list', { isDefault: true })
    .description('each with what it would change')
    .option('--all', 'answered ones too')
    .addOption(asData())
    .addOption(folder())
    .action(async options => (await import('./approvals.ts')).list(options))
  for (const decision of ['approve', 'deny'] as const) {
    const command = approvals
      .command(decision)
      .description(decision === 'approve' ? 'write it' : 'refuse it; nothing is written')
      .argument('<id>', 'the approval, or "all"')
      .option('--reason <text>', 'told to the model')
      .addOption(new Option('--remember <how>', 'make a rule of it').choices(['session', 'always']))
      .addOption(asData())
      .addOption(folder())
      .action(async (id, options) => (await import('./approvals.ts')).decide(decision, id, options))
    if (decision === 'approve')
      command.option('--refuse <changeIds...>', 'accept all but these changes')
  }

  const rules = program.command('rules').description('what the gate answers by itself')
  rules
    .command('list', { isDefault: true })
    .description('every rule of the folder')
    .addOption(asData())
    .addOption(folder())
    .action(async options => (await import('./rules.ts')).list(options))
  rules
    .command('add')
    .description(
      'answer such calls like this; of several rules the one with the most exact path counts',
    )
    .addOption(
      new Option(
        '--effect <effect>',
        'what it answers; scan: yes to a home folder, a disk root or a very large tree',
      )
        .choices(['allow', 'deny', 'ask', 'scan'])
        .makeOptionMandatory(),
    )
    .option('--tool <name>', 'only this tool (default: every tool)')
    .option('--path <glob>', 'only such paths, as src/** or *.{md,txt} (default: every path)')
    .option('--max-bytes <n>', 'only up to so many bytes of new content', toBytes)
    .addOption(folder())
    .action(async options => (await import('./rules.ts')).add(options))
  rules
    .command('remove')
    .description('ask again')
    .argument('<id>', 'as list shows it')
    .addOption(folder())
    .action(async (id, options) => (await import('./rules.ts')).remove(id, options))

  program
    .command('log')
    .description('the history of a session')
    .argument('[session]', 'default: the one touched last')
    .option('--jsonl', 'messages and tool results, one JSON object a line')
    .addOption(new Option('--sent', 'what went to which model').conflicts('jsonl'))
    .addOption(new Option('--sessions', 'list the sessions').conflicts(['jsonl', 'sent']))
    .addOption(
      new Option('--delete', 'delete the session and its log').conflicts([
        'jsonl',
        'sent',
        'sessions',
      ]),
    )
    .option('--yes', 'with --delete: its open draft too')
    .addOption(folder())
    .action(async (session, options) => (await import('./log.ts')).log(session, options))

  program
    .command('serve')
    .description('the server and the web app, on loopback')
    .option('-C, --cwd <dirs...>', 'folders to offer (default: this one)')
    .option('--port <n>', 'default: 4680 or the next free one', toPort)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .addOption(large())
    .action(async options => (await import('./serve.ts')).serve(options))

  program
    .command('attach')
    .description('offer a folder to a server on another machine')
    .requiredOption('--server <url>', 'its address, such as http://192.168.1.5:4680')
    .option('--token <token>', 'what that server printed (default: FILEWRIGHT_TOKEN)')
    .addOption(folder())
    .addOption(large())
    .action(async options => (await import('./attach.ts')).attach(options))

  program
    .command('active')
    .description('files that are active in the standing session')
    .argument('[action]', 'list, add or remove', 'list')
    .argument('[paths...]', 'for add and remove')
    .addOption(folder())
    .action(async (action, paths, options) =>
      (await import('./active.ts')).active(action, paths, options),
    )

  program
    .command('doctor')
    .description('a diagnosis without content, for bug reports')
    .option('-C, --cwd <dir>', 'look at this folder too, and name what no tool can use in it')
    .addOption(large())
    .action(async options => (await import('./doctor.ts')).doctor(options))
}

function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}

function toBytes(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of bytes, such as 5000.')
}

function toAmount(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, such as 5000.')
}

/** Those of every provider with them. */
function settingsHelp(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length))
  const lines = SETTINGS.map(
    ({ name, help, variables }) => `  ${name.padEnd(width)}  ${help} [${variables.join(', ')}]`,
  )
  return ['Settings (a variable in brackets goes before its setting):', ...lines].join('\n')
}
