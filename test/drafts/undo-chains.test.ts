import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import fc from '../seeded-properties.ts'

const PATHS = ['a.txt', 'b.txt', 'folder/c.txt', 'folder/deep/d.txt']
const TEXTS = ['one\n', 'two\n', 'three\nlines\nhere', '']

/** The text of each file; null if there is no file. */
type Tree = Readonly<Record<string, string | null>>

type Step =
  | { readonly do: 'publish'; readonly tree: Tree }
  | { readonly do: 'undo' | 'redo' | 'restart' }
  | { readonly do: 'edit outside'; readonly path: string; readonly text: string | null }
  | { readonly do: 'set the clock'; readonly days: number }

interface ChangeSet {
  readonly before: Tree
  readonly after: Tree
}

/** Two stacks and a tree: undo and redo as a person imagines them. */
class Model {
  tree: Record<string, string | null> = {}
  readonly #done: ChangeSet[] = []
  #undone: ChangeSet[] = []

  changesOf(tree: Tree): [path: string, text: string | null][] {
    return Object.entries(tree).filter(([path, text]) => (this.tree[path] ?? null) !== text)
  }

  publish(changes: readonly [string, string | null][]): void {
    const before = Object.fromEntries(changes.map(([path]) => [path, this.tree[path] ?? null]))
    const after = Object.fromEntries(changes)
    this.#done.push({ before, after })
    this.#undone = []
    Object.assign(this.tree, after)
  }

  undo(): number {
    const last = this.#done.at(-1)
    if (!last) return 404
    if (this.changesOf(last.after).length > 0) return 409
    Object.assign(this.tree, last.before)
    this.#undone.push(this.#done.pop()!)
    return 200
  }

  redo(): number {
    const last = this.#undone.at(-1)
    if (!last) return 404
    if (this.changesOf(last.before).length > 0) return 409
    Object.assign(this.tree, last.after)
    this.#done.push(this.#undone.pop()!)
    return 200
  }
}

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 0, 1, 12)
const IS_FULL = process.env.FILEWRIGHT_FULL === '1'

const anyText = fc.constantFrom(...TEXTS, null)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      tree: fc.dictionary(fc.constantFrom(...PATHS), anyText, { minKeys: 1, maxKeys: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit outside' as const),
      path: fc.constantFrom(...PATHS),
      text: anyText, // no two have a line in common, so none follows an edit from outside
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set the clock' as const),
      days: fc.integer({ min: -10, max: 10 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

test(
  'any chain of publish, undo and redo, with edits from outside and any clock, is as two stacks have it',
  async () => {
    const chains = fc.array(anyStep, { minLength: 5, maxLength: 25 })
    await fc.assert(fc.asyncProperty(chains, follow), { numRuns: IS_FULL ? 400 : 15 })
  },
  IS_FULL ? 600_000 : 60_000,
)

async function follow(steps: readonly Step[]): Promise<void> {
  let now = NOON
  const product = await embedded({}, { now: () => new Date(now++) })
  const model = new Model()
  for (const [index, step] of steps.entries()) {
    const where = `step ${index}: ${JSON.stringify(step)}`
    if (step.do === 'publish') {
      const changes = model.changesOf(step.tree)
      for (const [path, text] of changes) {
        const drafted =
          text === null
            ? await product.call('file_operations', { operations: [{ op: 'delete', path }] })
            : await product.call('write_text_file', { path, content: text, eol: 'lf' })
        expect(drafted, where).toMatchObject({ success: true })
      }
      if (changes.length === 0) continue
      const published = await product.ask('publish', { body: {} })
      expect(published.status, `${where} ${published.value.message}`).toBe(200)
      model.publish(changes)
    } else if (step.do === 'undo' || step.do === 'redo') {
      const expected = model[step.do]()
      const { status, value } = await product.ask(step.do, { body: {} })
      expect(status, `${where} ${value.message}`).toBe(expected)
    } else if (step.do === 'edit outside') {
      if (step.text === null) rmSync(join(product.dir, step.path), { force: true })
      else product.write(step.path, step.text)
      model.tree[step.path] = step.text
    } else if (step.do === 'set the clock') now = NOON + step.days * DAY_MS
    else {
      await product.detach()
      await product.attach()
    }
    for (const path of PATHS) {
      const file = join(product.dir, path)
      const found = existsSync(file) ? readFileSync(file, 'utf8') : null
      expect({ path, text: found }, where).toEqual({ path, text: model.tree[path] ?? null })
    }
  }
  await product.detach()
}

test('an undo or redo that was already done says so, whoever did it', async () => {
  const product = await embedded({ 'a.txt': 'one\n' })
  await product.call('write_text_file', { path: 'a.txt', content: 'two\n' })
  const { draftId } = (await product.ask('publish', { body: {} })).value
  expect((await product.ask('undo', { body: { draftId } })).status).toBe(200)
  expect(await product.ask('undo', { body: { draftId } })).toMatchObject({
    status: 409,
    value: { message: expect.stringContaining('is already undone') },
  })
  expect((await product.ask('redo', { body: { draftId } })).status).toBe(200)
  expect(await product.ask('redo', { body: { draftId } })).toMatchObject({
    status: 404,
    value: { message: expect.stringContaining('is not undone') },
  })
  expect(product.read('a.txt')).toBe('two\n')
})
