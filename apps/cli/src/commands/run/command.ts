import {
  argument,
  choice,
  defineCommand,
  naming,
  option,
  parsed,
  withPreset,
} from '@filewright/host'
import { fail, ok, type Result } from '@filewright/protocol'
import { folder, large } from '../options.ts'

/** What a run may use. */
const bounds = {
  maxTurns: parsed(
    '--max-turns <n>',
    'stop after this many answers of the model (default: 50)',
    toCount,
  ),
  budgetTokens: parsed('--budget-tokens <n>', 'stop after this many tokens', toAmount),
  budgetDollars: parsed('--budget-dollars <n>', 'stop after this many dollars', toAmount),
  budgetTime: parsed(
    '--budget-time <seconds>',
    'stop after this many seconds; waiting for you does not count',
    toAmount,
  ),
}

const ofEveryRun = {
  model: naming('models', option('--model <name>', 'PROVIDER/ID, or an id alone for the base URL')),
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
  showsProgress: true,
  summary: 'one task; --continue and --session go on with an earlier conversation',
  arguments: { task: argument('<task>', 'the task, in plain words, or - to read it from stdin') },
  options: {
    toolset: choice(
      '--toolset <name>',
      'the tools for the model; default: workshop (any file, to a draft); workspace: source code, each change needs approval',
      ['workshop', 'workspace'],
    ),
    active: option('--active <paths...>', 'files that are in the context from the start'),
    effort: option(
      '--effort <level>',
      'how hard the model thinks, in its own words, such as low or high',
    ),
    light: option('--light', 'offer the tools for small windows'),
    plan: option('--plan', 'read and plan only'),
    continue: option('--continue', 'go on with the conversation used last in this folder'),
    session: naming(
      'sessions',
      option('--session <id>', 'go on with this one; a run in progress gets the task as a message'),
    ),
    rewind: parsed(
      '--rewind <row>',
      'with --continue or --session: first go back to before your message in this row of "filewright log"',
      toCount,
    ),
    ...bounds,
    ...ofEveryRun,
  },
  run: async (given, host) => (await import('./run.ts')).run(given, host),
})

const resume = defineCommand({
  name: 'resume',
  showsProgress: true,
  summary: 'continue a run that waits, was cut off or cancelled, reached a limit or failed',
  arguments: {
    session: naming('sessions', argument('[session]', 'default: the one that stopped last')),
  },
  options: { ...bounds, ...ofEveryRun },
  run: async (given, host) => (await import('./run.ts')).resume(given, host),
})

export default [run, resume]

function toAmount(text: string): Result<number> {
  if (/^\d+(\.\d+)?$/.test(text)) return ok(Number(text))
  return fail('INVALID_ARGUMENT', 'It must be a number, such as 5000.')
}

function toCount(text: string): Result<number> {
  if (/^[1-9]\d{0,8}$/.test(text)) return ok(Number(text))
  return fail('INVALID_ARGUMENT', 'It must be a whole number, such as 20.')
}
