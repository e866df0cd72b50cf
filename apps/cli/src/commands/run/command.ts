import { argument, choice, defineCommand, option, parsed, withPreset } from '@filewright/host'
import { fail, ok, type Result } from '@filewright/protocol'
import { folder, large } from '../options.ts'

const ofEveryRun = {
  model: option('--model <name>', 'PROVIDER/ID, or an id alone for the base URL'),
  publish: choice(
    '--publish <how>',
    'what happens to the draft (auto: publish it when the run completes); default: ask on a terminal, else never',
    ['ask', 'auto', 'never'],
  ),
  approve: choice(
    '--approve <how>',
    'what the gate does; default: ask on a terminal, else rules (what no rule allows waits)',
    ['ask', 'rules', 'all'],
  ),
  output: withPreset(
    choice('--output <form>', 'text, or one event per line', ['text', 'json']),
    'text',
  ),
  cwd: folder,
  allowLarge: large,
}

const run = defineCommand({
  name: 'run',
  summary: 'one task, without a conversation',
  arguments: { task: argument('<task>', 'the task, in plain words') },
  options: {
    toolset: choice(
      '--toolset <name>',
      'the tools for the model; default: workshop (any file, to a draft); workspace: source code, each change needs approval',
      ['workshop', 'workspace'],
    ),
    active: option('--active <paths...>', 'files that are in the context from the start'),
    plan: option('--plan', 'read and plan only'),
    budgetTokens: parsed('--budget-tokens <n>', 'stop after this many tokens', toAmount),
    budgetDollars: parsed('--budget-dollars <n>', 'stop after this many dollars', toAmount),
    ...ofEveryRun,
  },
  run: async (given, host) => (await import('./run.ts')).run(given, host),
})

const resume = defineCommand({
  name: 'resume',
  summary: 'continue a stopped run',
  arguments: { session: argument('[session]', 'default: the one that stopped last') },
  options: ofEveryRun,
  run: async (given, host) => (await import('./run.ts')).resume(given, host),
})

export default [run, resume]

function toAmount(text: string): Result<number> {
  if (/^\d+(\.\d+)?$/.test(text)) return ok(Number(text))
  return fail('INVALID_ARGUMENT', 'It must be a number, such as 5000.')
}
