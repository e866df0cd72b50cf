import {
  argument,
  type CommandGroup,
  defineCommand,
  naming,
  option,
  parsed,
} from '@filewright/host'
import { fail, ok, type Result } from '@filewright/protocol'
import { asData } from '../options.ts'

const name = naming('models', argument('<name>', 'PROVIDER/ID, or an id alone for the base URL'))

const list = defineCommand({
  name: 'list',
  summary: 'which models you can use',
  isDefault: true,
  options: { json: asData },
  run: async given => (await import('./models.ts')).listModels(given),
})

const show = defineCommand({
  name: 'show',
  summary: 'sizes, prices and effort levels, and where they come from',
  arguments: { name },
  run: async given => (await import('./model-facts.ts')).showFacts(given),
})

const set = defineCommand({
  name: 'set',
  summary: 'set what is not known of a model, or known wrong',
  arguments: { name },
  options: {
    context: parsed('--context <tokens>', 'what it can hold', toCount),
    output: parsed('--output <tokens>', 'the most that one answer may have', toCount),
    inputPrice: parsed('--input-price <dollars>', 'for a million tokens', toPrice),
    outputPrice: parsed('--output-price <dollars>', 'for a million tokens', toPrice),
    cachedPrice: parsed('--cached-price <dollars>', 'for a million cached input tokens', toPrice),
    effortLevels: option('--effort-levels <list>', 'for --effort, such as low,medium,high'),
  },
  run: async given => (await import('./model-facts.ts')).setFacts(given),
})

const unset = defineCommand({
  name: 'unset',
  summary: 'forget what was set for a model',
  arguments: { name },
  run: async given => (await import('./model-facts.ts')).unsetFacts(given),
})

const models: CommandGroup = {
  name: 'models',
  summary: 'which models you can use, and what is known of them',
  commands: [list, show, set, unset],
}

export default models

function toCount(text: string): Result<number> {
  if (/^[1-9]\d*$/.test(text)) return ok(Number(text))
  return fail('INVALID_ARGUMENT', 'It must be a whole number of tokens, such as 32768.')
}

function toPrice(text: string): Result<number> {
  if (/^\d+(\.\d+)?$/.test(text)) return ok(Number(text))
  return fail('INVALID_ARGUMENT', 'It must be an amount of dollars, such as 0.25.')
}
