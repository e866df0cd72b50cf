import { Exit, note, readConfig, writeModelFacts } from '@filewright/host'
import {
  describeFacts,
  findProvider,
  knownFacts,
  type ModelFacts,
  providers,
} from '@filewright/loop'
import { EXIT_CODES } from '@filewright/protocol'
import { answer } from '../../output/output.ts'

interface NamedModel {
  readonly name: string
}

interface GivenFacts extends NamedModel {
  readonly context?: number
  readonly output?: number
  readonly inputPrice?: number
  readonly outputPrice?: number
  readonly cachedPrice?: number
  readonly effortLevels?: string
}

/** Adds to what was set before; what is not named stays. */
export function setFacts({ name, ...given }: GivenFacts): void {
  const { stateRoot, modelFacts = {} } = readConfig()
  const before = modelFacts[name] ?? {}
  const facts = { ...before, ...toFacts(given, before.price ?? known(name)?.facts.price) }
  if (Object.values(given).every(value => value === undefined))
    throw new Exit(
      EXIT_CODES.invalid,
      'name what to set: --context, --output, --input-price with --output-price, or --effort-levels',
    )
  writeModelFacts(stateRoot, name, facts)
  note(`${name}: ${describeFacts(facts)}.`)
}

export function unsetFacts({ name }: NamedModel): void {
  const { stateRoot, modelFacts = {} } = readConfig()
  if (!modelFacts[name]) throw new Exit(EXIT_CODES.missing, `nothing is set for ${name}`)
  writeModelFacts(stateRoot, name, undefined)
  note(`${name} is no longer set.`)
}

export function showFacts({ name }: NamedModel): void {
  const set = readConfig().modelFacts?.[name]
  const table = known(name)
  if (set) answer(`set by you         ${describeFacts(set)}`)
  if (table) answer(`table, ${table.asOf}  ${describeFacts(table.facts)}`)
  if (!set && !table)
    note(
      `Nothing is known of ${name} without asking its endpoint. Set it with "filewright models set ${name} --context TOKENS".`,
    )
}

function toFacts(
  { context, output, inputPrice, outputPrice, cachedPrice, effortLevels }: Omit<GivenFacts, 'name'>,
  before: ModelFacts['price'],
): ModelFacts {
  const input = inputPrice ?? before?.input
  const outputs = outputPrice ?? before?.output
  const cachedInput = cachedPrice ?? (inputPrice === undefined ? before?.cachedInput : undefined)
  const isPriced = [inputPrice, outputPrice, cachedPrice].some(price => price !== undefined)
  if (isPriced && (input === undefined || outputs === undefined))
    throw new Exit(
      EXIT_CODES.invalid,
      'a price needs both --input-price and --output-price: a run pays for both',
    )
  return {
    ...(context !== undefined && { contextTokens: context }),
    ...(output !== undefined && { outputTokens: output }),
    ...(isPriced && {
      price: {
        input: input!,
        output: outputs!,
        ...(cachedInput !== undefined && { cachedInput }),
      },
    }),
    ...(effortLevels !== undefined && {
      effortLevels: effortLevels.split(/[\s,]+/).filter(Boolean),
    }),
  }
}

function known(name: string): { readonly facts: ModelFacts; readonly asOf: string } | undefined {
  const slash = name.indexOf('/')
  const provider =
    slash > 0
      ? findProvider(name.slice(0, slash))
      : providers.find(({ family }) => family?.test(name))
  const facts = provider && knownFacts(provider, name.slice(slash + 1))
  return facts && { facts, asOf: provider.known!.asOf }
}
