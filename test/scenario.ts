import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { findFormat } from '@filewright/documents'
import { type Fields, ownFields } from '@filewright/protocol'
import { expect } from 'vitest'
import { type Answer, type Embedded, embedded } from './embedded.ts'
import { mergeCorrected } from './merge-corrected.ts'

/** `call.json`: the call. Its tool is that of the folder unless it names another; `<workspace>` is its root. */
export interface ScenarioCall {
  readonly verifies?: readonly string[]
  readonly tool?: string
  readonly arguments?: unknown
  /** Instead of one call: several in order. */
  readonly calls?: readonly { readonly tool?: string; readonly arguments: unknown }[]
  /** Publish the draft afterwards, every change accepted. */
  readonly publish?: boolean
}

export type Tree = Readonly<Record<string, string>>

export interface Outcome {
  /** The envelope of each call, without its ids. */
  readonly results: readonly unknown[]
  readonly tree: Tree
  /** Sends the call that a refusal offers. Undefined where none is offered. */
  readonly sendCorrected?: () => Promise<Outcome>
}

/** The folders of all scenarios below a folder of tools or formats, `<name>/scenarios/NNN_what_happens`. */
export function findScenarios(tools: string): string[] {
  return readdirSync(tools, { withFileTypes: true })
    .filter(tool => existsSync(join(tools, tool.name, 'scenarios')))
    .flatMap(tool =>
      readdirSync(join(tools, tool.name, 'scenarios')).map(name =>
        join(tools, tool.name, 'scenarios', name),
      ),
    )
    .sort()
}

export async function runScenario(folder: string): Promise<Outcome> {
  const product = await embedded(bytesOf(readTree(join(folder, 'input'))))
  const written = readFileSync(join(folder, 'call.json'), 'utf8')
  const call: ScenarioCall = JSON.parse(written.replaceAll('<workspace>', product.dir))
  const calls = (call.calls ?? [call]).map(each => ({ tool: toolOf(folder), ...each }))
  const answers: Answer[] = []
  for (const { tool, arguments: input } of calls) answers.push(await product.call(tool, input))
  if (call.publish) await publish(product)
  const { tool, arguments: sent } = calls.at(-1)!
  const { corrected } = answers.at(-1)
  return {
    ...outcomeOf(product, answers),
    ...(corrected && {
      sendCorrected: async () => {
        const sentBack = await product.call(tool, mergeCorrected(sent as Fields, corrected))
        if (existsSync(join(folder, 'meant'))) await publish(product)
        return outcomeOf(product, [sentBack])
      },
    }),
  }
}

function publish(product: Embedded) {
  return product.ask('publish', { body: { by: 'the person' } })
}

function outcomeOf(product: Embedded, answers: readonly Answer[]): Outcome {
  expect(product.logged.filter(({ event }) => event === 'client error')).toEqual([])
  return { results: answers.map(toResult), tree: readTree(product.dir) }
}

/** The expected workspace afterwards; without a folder `expected`, the workspace as it was before. */
export function expectedTree(folder: string): Tree {
  const expected = join(folder, 'expected')
  return readTree(existsSync(expected) ? expected : join(folder, 'input'))
}

/** `result.json`: of the last call, or a list with one of each. */
export function expectedResults(folder: string, count: number): readonly unknown[] {
  const expected = readJson(join(folder, 'result.json'))
  return Array.isArray(expected) ? expected : [...Array(count - 1).fill({}), expected]
}

/** What the corrected call must do: `meant.json`, a part of its answer, and `meant/`, the folder once it is published. */
export function meantOutcome(folder: string): { readonly result: unknown; readonly tree: Tree } {
  const meant = join(folder, 'meant')
  const tree = readTree(existsSync(meant) ? meant : join(folder, 'input'))
  return { result: readJson(join(folder, 'meant.json')), tree }
}

/** Its folder is that of a tool, or of a format whose operations make one. */
function toolOf(folder: string): string {
  const owner = basename(dirname(dirname(folder)))
  return findFormat(owner)?.tool ?? owner
}

/** Ids differ from run to run: `chg_1` is the first change reported, `chg_2` the second. */
function toResult(envelope: Parameters<typeof ownFields>[0]): unknown {
  const { success, errorCode, kind, message, errors, warnings } = envelope
  const frame = { success, errorCode, ...(kind && { kind }), message, errors, warnings }
  const seen: string[] = []
  const text = JSON.stringify({ ...frame, ...ownFields(envelope) }).replace(
    /\b([a-z]{2,3})_[0-9a-f]{16}\b/g,
    (id, prefix: string) => {
      if (!seen.includes(id)) seen.push(id)
      return `${prefix}_${seen.filter(other => other.startsWith(`${prefix}_`)).indexOf(id) + 1}`
    },
  )
  return JSON.parse(text)
}

/** Path → content, one character per byte, so that a difference in any byte shows. */
function readTree(folder: string): Tree {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== '.gitkeep')
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  return Object.fromEntries(
    files.map(file => [
      relative(folder, file).split(sep).join('/'),
      readFileSync(file).toString('latin1'),
    ]),
  )
}

function bytesOf(tree: Tree): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, content]) => [path, Buffer.from(content, 'latin1')]),
  )
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
