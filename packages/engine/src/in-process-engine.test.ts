import { LINE_TEXT } from '@filewright/documents'
import {
  type Change,
  type ChangeId,
  type LoggedOperation,
  type Operation,
  ok,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import { expect, test } from 'vitest'
import { append, engineContract, lines, nameOf, textOf } from './engine.contract.ts'
import type { DocumentRef } from './engine.ts'
import { createInProcessEngine } from './in-process-engine.ts'
import { trapFormat } from './testing/trap-format.ts'

const loadFormat = async () => trapFormat

engineContract('the engine in this process', () => createInProcessEngine({ loadFormat }))

test('a call that was cancelled before its turn is not carried out', async () => {
  const engine = createInProcessEngine({ loadFormat })
  const ref = lines('a', 'one')
  const stopped = await engine.apply(ref, append('two'), 'n', {}, { signal: AbortSignal.abort() })
  expect(stopped).toMatchObject({ failure: { code: 'CANCELLED' } })
  expect(await textOf(engine, ref)).toBe('one')
})

test('a closed engine answers CANCELLED', async () => {
  const engine = createInProcessEngine({ loadFormat })
  await engine.close()
  expect(await engine.map(lines('a', ''))).toMatchObject({ failure: { code: 'CANCELLED' } })
})

test('a patch is worked out once for its changes, its content and its lines', async () => {
  const engine = createInProcessEngine()
  const bytes = new TextEncoder().encode('a\nb\nc\n')
  const changes = [
    { changeId: 'chg_1', operation: 'insert', afterLine: 1, newLines: ['new'] },
    {
      changeId: 'chg_2',
      operation: 'delete',
      startLine: 3,
      endLine: 3,
      expectedOriginalLines: ['c'],
    },
  ]
  const operation: Operation = { op: 'line_changes', changes }
  const log = append('').map(each => ({ ...each, operation }))
  let loads = 0
  const ref: DocumentRef = {
    key: 'patched',
    format: LINE_TEXT,
    name: nameOf('a.txt'),
    state: 'n',
    async load() {
      loads++
      return ok({ bytes, log })
    },
  }
  const replay = async (...refused: ChangeId[]) => {
    const { content, lineMap } = unwrap(await engine.replay(ref, new Set(refused)))
    return [new TextDecoder().decode(toBytes(content, bytes)), (lineMap as []).length]
  }
  expect(unwrap(await engine.changes(ref)).map(({ id }) => id)).toEqual(['chg_1', 'chg_2'])
  expect(await replay()).toEqual(['a\nnew\nb\n', 4])
  expect(await replay('chg_2' as ChangeId)).toEqual(['a\nnew\nb\nc\n', 3])
  expect(loads).toBe(1)
})

test('a file that was overwritten many times is edited in abridged form, and shows all its changes on request', async () => {
  const engine = createInProcessEngine()
  const log: LoggedOperation[] = []
  let loads = 0
  const ref = (): DocumentRef => ({
    key: 'often',
    format: LINE_TEXT,
    name: nameOf('often.txt'),
    state: `${log.length}`,
    async load() {
      loads++
      return ok({ bytes: new TextEncoder().encode('begin\r\n'), log: [...log] })
    },
  })
  const run = async (operation: Operation) => {
    const [logged] = append(`${log.length}`).map(each => ({ ...each, operation }))
    const applied = unwrap(await engine.apply(ref(), [logged!], `${log.length + 1}`))
    log.push(logged!)
    return applied
  }
  const told: Change[] = []
  const write = async (n: number) => {
    const content = `write ${n}\n${'x'.repeat(120_000)}\n`
    told.push(...(await run({ op: 'write_text', content })).changes)
    const edits = [{ search: `write ${n}`, replace: `edited ${n}` }]
    told.push(...(await run({ op: 'edit_text', edits })).changes)
  }
  for (let n = 0; n < 80; n++) await write(n)
  expect(loads).toBe(1)
  expect(new TextDecoder().decode(unwrap(await engine.content(ref())))).toMatch(/^edited 79\r\nx/)
  expect(loads, 'the text alone needs no other').toBe(1)
  expect(unwrap(await engine.changes(ref()))).toEqual(told)
  expect(loads, 'the changes are made from the log').toBe(2)
  expect(unwrap(await engine.changes(ref()))).toEqual(told)
  expect(loads).toBe(2)
  await write(80)
  expect(unwrap(await engine.changes(ref()))).toEqual(told)
  expect(loads).toBe(3)
})
