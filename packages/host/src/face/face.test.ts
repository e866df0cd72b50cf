import { expect, test } from 'vitest'
import { type Face, loadFaces } from './face.ts'

test('a table of faces has the commands and routes of each, in its order', async () => {
  const { commands, routes } = await loadFaces([
    load({ commands: [load([command('b'), command('c')]), load(command('a'))] }),
    load({ commands: [load(command('d'))], routes: [route('/one'), route('/other')] }),
    load({}),
  ])
  expect(commands.map(({ name }) => name)).toEqual(['b', 'c', 'a', 'd'])
  expect(routes.map(({ path }) => path)).toEqual(['/one', '/other'])
})

test.each([
  ['/one', '/one'],
  ['/one', '/one/below'],
  ['/one/below', '/one'],
  ['/one', '/api/below'],
] as const)(
  'faces with %s and %s are a bug: one would answer for the other',
  async (one, other) => {
    const faces = [load<Face>({ routes: [route(one)] }), load<Face>({ routes: [route(other)] })]
    await expect(loadFaces(faces)).rejects.toThrow(`Two faces cannot share ${other}`)
  },
)

const load =
  <Value>(value: Value) =>
  async () => ({ default: value })

const command = (name: string) => ({ name, summary: '', run() {} })
const route = (path: `/${string}`) => ({ path, answer: async () => new Response() })
