import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { findFormat } from '@filewright/documents'
import { ownFields } from '@filewright/protocol'
import { expect } from 'vitest'
import { embedded } from './embedded.ts'

/** `call.json`: what is asked for. The tool is that of the folder unless it says another. */
export interface ScenarioCall {
  readonly verifies?: readonly string[]
  readonly tool?: string
  readonly arguments?: unknown
  /** Instead of one call: several, one after the other; the result is that of the last. */
  readonly calls?: readonly { readonly tool?: string; readonly arguments: unknown }[]
  /** Publish the draft afterwards, every change accepted. */
  readonly publish?: boolean
}

export type Tree = Readonly<Record<string, string>>

export interface Outcome {
  /** The last envelope, without the ids of the call. */
  readonly result: unknown
  readonly tree: Tree
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
  const call = readJson(join(folder, 'call.json')) as ScenarioCall
  const product = await embedded(bytesOf(readTree(join(folder, 'input'))))
  let result: unknown
  for (const { tool = toolOf(folder), arguments: input } of call.calls ?? [call])
    result = toResult(await product.call(tool, input))
  if (call.publish) await product.ask('publish', { body: { by: 'the person' } })
  expect(product.logged.filter(({ event }) => event === 'client error')).toEqual([])
  return { result, tree: readTree(product.dir) }
}

/** What the workspace must be afterwards; without a folder `expected`, what it was before. */
export function expectedTree(folder: string): Tree {
  const expected = join(folder, 'expected')
  return readTree(existsSync(expected) ? expected : join(folder, 'input'))
}

export function expectedResult(folder: string): unknown {
  return readJson(join(folder, 'result.json'))
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

/** Path → content, a byte a character, so that a difference in any byte is seen. */
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
