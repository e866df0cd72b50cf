import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Change, Published, Review } from '@filewright/protocol'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import {
  baseTree,
  type Choice,
  callStep,
  run,
  type Step,
  type Tree,
  toSteps,
} from './draft-steps.ts'

const FULL = process.env.FILEWRIGHT_FULL === '1'
const SETTINGS = { seed: 20_261_115, endOnFailure: true } as const

const choices: fc.Arbitrary<readonly Choice[]> = fc.array(
  fc.tuple(fc.nat(11), fc.nat(99), fc.nat(99), fc.nat(99)),
  { minLength: 22, maxLength: 28 },
)
/** Which changes are refused: each with a chance of `percent`, drawn by its place in the review. */
const refusals = fc.record({
  percent: fc.constantFrom(3, 10, 30, 60),
  draws: fc.array(fc.nat(99), { minLength: 40, maxLength: 40 }),
})

verifies(
  [
    'CONTRACT §6 publish accepted only',
    'CONTRACT §6 publish refuses some',
    'CONTRACT §6 draft is a log',
    'CONTRACT §6 inputs pinned',
  ],
  'whichever changes are refused, a publish writes the accepted ones replayed on the base',
  async () => {
    const seen = { dropped: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(choices, refusals, async (chosen, { percent, draws }) => {
        const steps = toSteps(chosen, { isFree: false })
        const { product, changes, calls } = await drafted(steps)
        const refused = changes.filter((_, i) => draws[i % draws.length]! < percent)
        const published = await publish(product, { refused: refused.map(({ id }) => id) })
        const gone = new Set<string>([...published.refused, ...published.dropped])
        expect([...gone].sort()).toEqual([...withDependants(changes, refused)].sort())
        expect(published.refused).toEqual(refused.map(({ id }) => id))
        const accepted = changes.filter(({ id }) => !gone.has(id))
        expect(treeOf(product.dir)).toEqual(replayed(steps, { calls, changes, accepted }))
        seen.dropped += published.dropped.length
        seen.refused += refused.length
        await product.detach()
      }),
      { ...SETTINGS, numRuns: FULL ? 200 : 15 },
    )
    expect(seen.refused, 'refused').toBeGreaterThan(20)
    expect(seen.dropped, 'dropped').toBeGreaterThan(20)
  },
  { timeout: FULL ? 1_200_000 : 300_000 },
)

verifies(
  'CONTRACT §6 publish accepts the undecided',
  'for any operations, publishing all gives the view of the draft and publishing none the base',
  async () => {
    await fc.assert(
      fc.asyncProperty(choices, refusals, async (chosen, { percent, draws }) => {
        const steps = toSteps(chosen, { isFree: true })
        const whole = await drafted(steps)
        const expected = baseTree()
        for (const step of steps) run(expected, step)
        expect((await publish(whole.product, {})).refused).toEqual([])
        expect(treeOf(whole.product.dir)).toEqual(expected)
        await whole.product.detach()

        const none = await drafted(steps)
        const all = none.changes.map(({ id }) => id)
        expect(await publish(none.product, { refused: all })).toMatchObject({ files: [] })
        expect(treeOf(none.product.dir)).toEqual(baseTree())
        await none.product.detach()

        // refused, or left out by name together with its dependants: the same tree, and never a conflict
        const some = await drafted(steps)
        const refused = some.changes.filter((_, i) => draws[i % draws.length]! < percent)
        const published = await publish(some.product, { refused: refused.map(({ id }) => id) })
        const named = await drafted(steps)
        const gone = new Set<string>([...published.refused, ...published.dropped])
        const only = named.changes.flatMap(({ id }, i) =>
          gone.has(some.changes[i]!.id) ? [] : [id],
        )
        expect((await publish(named.product, { only })).dropped).toEqual([])
        expect(treeOf(named.product.dir)).toEqual(treeOf(some.product.dir))
        await some.product.detach()
        await named.product.detach()
      }),
      { ...SETTINGS, numRuns: FULL ? 200 : 8 },
    )
  },
  { timeout: FULL ? 1_200_000 : 300_000 },
)

verifies(
  'CONTRACT §6 publish keeps the rest',
  'a draft published in any parts keeps the rest under the same ids, and ends as if it were published at once',
  async () => {
    const seen = { parts: 0, kept: 0 }
    await fc.assert(
      fc.asyncProperty(choices, refusals, async (chosen, { percent, draws }) => {
        const steps = toSteps(chosen, { isFree: false })
        const { product, changes, calls } = await drafted(steps)
        let rest = changes
        for (let part = 0; part < 4 && rest.length > 0; part++) {
          const left = rest.filter((_, i) => draws[(i + part) % draws.length]! < percent)
          const gone = part === 3 ? new Set<string>() : withDependants(rest, left)
          const wanted = rest.filter(({ id }) => !gone.has(id))
          if (wanted.length === 0) continue
          const only = wanted.map(({ id }) => id)
          const deleted = wanted.filter(({ operation }) => operation.op === 'delete')
          const isMoot = ({ docPath, place }: Change) =>
            place.endsWith(', if the file is kept') && deleted.some(own => own.docPath === docPath)
          rest = rest.filter(change => gone.has(change.id) && !isMoot(change))
          const published = await publish(product, { only })
          expect(published).toMatchObject({ undecided: rest.length, refused: [], dropped: [] })
          const accepted = changes.filter(change => !rest.some(({ id }) => id === change.id))
          expect(treeOf(product.dir)).toEqual(replayed(steps, { calls, changes, accepted }))
          if (rest.length > 0) expect(await shownIn(product, rest)).toEqual(rest)
          seen.parts++
          seen.kept += rest.length
        }
        await product.detach()
      }),
      { ...SETTINGS, numRuns: FULL ? 200 : 12 },
    )
    expect(seen.parts, 'parts').toBeGreaterThan(20)
    expect(seen.kept, 'kept').toBeGreaterThan(40)
  },
  { timeout: FULL ? 1_200_000 : 300_000 },
)

verifies(
  'CONTRACT §6 publish keeps the rest',
  'a part that is undone leaves the rest as it was, on the files as they were',
  async () => {
    const seen = { withdrawn: 0, again: 0 }
    await fc.assert(
      fc.asyncProperty(choices, refusals, async (chosen, { percent, draws }) => {
        const steps = toSteps(chosen, { isFree: false })
        const { product, changes, calls } = await drafted(steps)
        const left = changes.filter((_, i) => draws[i % draws.length]! < percent)
        const rest = withDependants(changes, left)
        const only = changes.map(({ id }) => id).filter(id => !rest.has(id))
        if (only.length > 0 && rest.size > 0) {
          expect(await publish(product, { only })).toMatchObject({ refused: [] })
          expect((await product.ask('undo', { body: {} })).status).toBe(200)
          expect(treeOf(product.dir)).toEqual(baseTree())
        }
        const open = new Set(await idsIn(product))
        for (const id of only) seen[open.has(id) ? 'again' : 'withdrawn']++
        const kept = changes.filter(({ id, place }) => rest.has(id) && !place.endsWith(' is kept'))
        expect(kept.filter(({ id }) => !open.has(id))).toEqual([])
        await publish(product, {})
        const accepted = changes.filter(({ id }) => open.has(id))
        expect(treeOf(product.dir)).toEqual(replayed(steps, { calls, changes, accepted }))
        await product.detach()
      }),
      { ...SETTINGS, numRuns: FULL ? 200 : 12 },
    )
    expect(seen.withdrawn, 'withdrawn').toBeGreaterThan(20)
    expect(seen.again, 'undecided again').toBeGreaterThan(5)
  },
  { timeout: FULL ? 1_200_000 : 300_000 },
)

async function idsIn(product: Embedded): Promise<string[]> {
  const { value } = await product.ask<Review>('review')
  return value.changes.map(({ id }) => id)
}

/** The changes whose ids the review has, and those in files that it says cancel out: a published write covers them. */
async function shownIn(product: Embedded, changes: readonly Change[]): Promise<readonly Change[]> {
  const { value } = await product.ask<Review>('review')
  const ids = new Set<string>(value.changes.map(({ id }) => id))
  const isCovered = (path: string) =>
    value.warnings.some(warning => warning.startsWith(`The changes of "${path}" cancel out`))
  expect([...ids].filter(id => !changes.some(change => change.id === id))).toEqual([])
  return changes.filter(({ id, path }) => ids.has(id) !== isCovered(path))
}

async function drafted(steps: readonly Step[]) {
  const product = await embedded(Object.fromEntries(baseTree()))
  const calls: string[] = []
  for (const step of steps) {
    const answer = await callStep(product, step)
    expect(answer, JSON.stringify(step)).toMatchObject({ success: true })
    calls.push(answer.toolCallId)
  }
  const { value: review } = await product.ask<Review>('review')
  expect(new Set(review.changes.map(({ id }) => id)).size).toBe(review.changes.length)
  return { product, calls, changes: review.changes }
}

async function publish(product: Embedded, body: object): Promise<Published> {
  const { status, value } = await product.ask<Published>('publish', { body })
  expect(status, JSON.stringify(value)).toBe(200)
  return value
}

/**
 * The changes a person would expect to lose: those that depend on a refused one, and the other places of an atomic
 * operation.
 */
function withDependants(changes: readonly Change[], refused: readonly Change[]): Set<string> {
  const gone = new Set<string>(refused.map(({ id }) => id))
  for (let size = -1; size !== gone.size; ) {
    size = gone.size
    for (const change of changes) {
      const siblings = changes.filter(
        other =>
          other.kind !== 'file' &&
          other.atomic &&
          other.operation.toolCallId === change.operation.toolCallId,
      )
      const goesWith = change.atomic && change.kind !== 'file' ? siblings : []
      if (goesWith.some(({ id }) => gone.has(id)) || change.dependsOn.some(id => gone.has(id)))
        gone.add(change.id)
    }
  }
  return gone
}

/** Step by step on the base, each with those of its changes that were accepted. */
function replayed(
  steps: readonly Step[],
  {
    calls,
    changes,
    accepted,
  }: Record<'changes' | 'accepted', readonly Change[]> & { calls: string[] },
): Tree {
  const tree = baseTree()
  for (const [i, step] of steps.entries()) {
    const isOwn = ({ operation }: Change) => operation.toolCallId === calls[i]
    expect(changes.some(isOwn), `a change of ${JSON.stringify(step)}`).toBe(true)
    const own = accepted.filter(isOwn)
    if (step.op !== 'edit') {
      if (own.length > 0) run(tree, step)
      continue
    }
    for (const change of own) tree.set(step.path, replaceWord(tree.get(step.path)!, change))
  }
  return tree
}

/** The word that the change shows as replaced, in the line that it shows by its mark. */
function replaceWord(text: string, { before, after }: Change): string {
  const [was, is] = [before!.lines![0]!.split(' '), after!.lines![0]!.split(' ')]
  const at = was.findIndex((word, i) => word !== is[i])
  const lines = text.split('\n')
  const line = lines.findIndex(each => each.startsWith(`${was[0]} `))
  expect(lines[line], `the line of ${was[0]}`).toContain(was[at])
  lines[line] = lines[line]!.replace(was[at]!, is[at]!)
  return lines.join('\n')
}

function treeOf(dir: string): Tree {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  const tree: Tree = new Map()
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    tree.set(path.slice(dir.length + 1), readFileSync(path, 'utf8'))
  }
  return tree
}
