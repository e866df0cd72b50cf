import { fail, ok } from '@filewright/protocol'
import { Command as Commander } from 'commander'
import { expect, test } from 'vitest'
import { createHost } from '../work/host.ts'
import { addCommands } from './add-commands.ts'
import { type CommandDeclaration, defineCommand } from './command.ts'
import { argument, choice, notWith, option, parsed, required, withPreset } from './command-line.ts'

test('a command gets its arguments and options by the names it declared', async () => {
  expect(await given('do it a b --size 3 --form json --max-count 5 --yes')).toEqual({
    what: 'it',
    rest: ['a', 'b'],
    size: 3,
    form: 'json',
    maxCount: '5',
    yes: true,
  })
  expect(await given('do it --max-count 5')).toEqual({
    what: 'it',
    rest: [],
    form: 'text',
    maxCount: '5',
  })
})

test.each([
  ['do it', "required option '--max-count <n>' not specified"],
  ['do --max-count 5', "missing required argument 'what'"],
  ['do it --max-count 5 --form xml', 'Allowed choices are text, json.'],
  ['do it --max-count 5 --size x', 'A size is a number.'],
  ['do it --max-count 5 --yes --later', "option '--later' cannot be used with option '--yes'"],
])('"%s" is refused: %s', async (line, message) => {
  await expect(given(line)).rejects.toThrow(message)
})

test('the word of a group that is meant when none is given', async () => {
  expect(await given('group')).toEqual({ all: undefined })
  expect(await given('group list every')).toEqual({ all: 'every' })
})

test('an option under another name than its flag gives is a bug', () => {
  const command = defineCommand({
    name: 'do',
    summary: '',
    options: { folder: option('--cwd <dir>', '') },
    run() {},
  })
  expect(() => addCommands(new Commander(), [command], createHost())).toThrow(
    '"--cwd <dir>" is given as cwd, and declared as folder',
  )
})

/** What a command runs with. */
async function given(line: string): Promise<unknown> {
  let taken: unknown
  const program = new Commander().exitOverride().configureOutput({ writeErr() {} })
  const commands = commandsThat(value => {
    taken = value
  })
  addCommands(program, commands, createHost())
  await program.parseAsync(line.split(' '), { from: 'user' })
  return taken
}

function commandsThat(run: (given: unknown) => void): CommandDeclaration[] {
  const list = defineCommand({
    name: 'list',
    summary: '',
    isDefault: true,
    arguments: { all: argument('[all]', '') },
    run,
  })
  const doIt = defineCommand({
    name: 'do',
    summary: '',
    arguments: { what: argument('<what>', ''), rest: argument('[rest...]', '') },
    options: {
      size: parsed('--size <n>', '', text =>
        Number(text) ? ok(Number(text)) : fail('INVALID_ARGUMENT', 'A size is a number.'),
      ),
      form: withPreset(choice('--form <form>', '', ['text', 'json']), 'text'),
      maxCount: required(option('--max-count <n>', '')),
      yes: option('--yes', ''),
      later: notWith(['yes'], option('--later', '')),
    },
    run,
  })
  return [doIt, { name: 'group', summary: '', commands: [list] }]
}
