import { join } from 'node:path'
import type { FactsByModel, ModelFacts } from '@filewright/loop'
import { readKept, writeKept } from './kept-object.ts'

/** What the person set with `filewright models set`; it goes before what is known and what an endpoint says. */
export function readModelFacts(stateRoot: string): FactsByModel {
  const entries = Object.entries(readKept(fileIn(stateRoot)))
  return Object.fromEntries(entries.map(([name, facts]) => [name, toFacts(facts)]))
}

/** Undefined removes them. */
export function writeModelFacts(
  stateRoot: string,
  name: string,
  facts: ModelFacts | undefined,
): void {
  const { [name]: _, ...others } = readModelFacts(stateRoot)
  writeKept(fileIn(stateRoot), facts ? { ...others, [name]: facts } : others)
}

/** What a person wrote into the file by hand may be anything. */
function toFacts(saved: unknown): ModelFacts {
  const { contextTokens, outputTokens, price, effortLevels } = Object(saved) as Record<
    string,
    unknown
  >
  return {
    ...(isCount(contextTokens) && { contextTokens }),
    ...(isCount(outputTokens) && { outputTokens }),
    ...(isPrice(price) && { price }),
    ...(isWords(effortLevels) && { effortLevels }),
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}

function isPrice(value: unknown): value is NonNullable<ModelFacts['price']> {
  const { input, output, cachedInput = 0 } = Object(value) as Record<string, unknown>
  return [input, output, cachedInput].every(each => typeof each === 'number' && each >= 0)
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(word => typeof word === 'string')
}

function fileIn(stateRoot: string): string {
  return join(stateRoot, 'models.json')
}
