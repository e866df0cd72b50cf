import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { recorder, runTo, says } from '../loop/running.ts'

const BUFFER = 'PASSWORD=hunter2-in-the-editor\n'

test('the text of a key file in an editor reaches no model, unless a person allows the file', async () => {
  const { model, requests } = recorder([says('One.'), says('Two.')])
  const product = await embedded({ '.env': 'A=1\n', 'a.txt': 'a\n' }, { model })
  const params = { sessionId: product.sessionId }
  const add = (path: string) =>
    product.ask('addActiveFile', { params, body: { path, buffer: BUFFER } })
  for (const path of ['.env', '.ENV', './.env', '.env.local', 'deploy/id_rsa'])
    expect(await add(path), path).toMatchObject({
      status: 403,
      value: { errorCode: 'PRIVATE_FILE' },
    })
  expect(await add('a.txt')).toMatchObject({ status: 200 })
  expect((await product.ask('listActiveFiles', { params })).value.files).toHaveLength(1)

  const { value: rule } = await product.ask('addRule', { body: { effect: 'read', path: '.env' } })
  expect(await add('.env')).toMatchObject({ status: 200 })
  await product.ask('removeActiveFile', { params, query: { path: 'a.txt' } })
  await runTo(product, 'See.')
  expect(JSON.stringify(requests.at(-1))).toContain('hunter2')
  await product.ask('removeRule', { params: { ruleId: rule.id } })
  const other = await product.newSession()
  await product.ask('addActiveFile', { params: { sessionId: other }, body: { path: 'a.txt' } })
  expect((await product.ask('listActiveFiles', { params })).value.files).toEqual([])
})
