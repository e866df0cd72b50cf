import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'
import { type Message, textOf, untilDecided } from './frames.ts'
import { connectStdio, type StdioClient, type StdioOptions } from './stdio-client.ts'

const FORMS = { elicitation: { form: {} } }
const CODE = /type ([0-9a-f]{6})\b/

/** A draft with one new file. */
async function drafting(options: StdioOptions): Promise<{ box: Sandbox; client: StdioClient }> {
  const box = sandbox()
  const client = await connectStdio(box, options)
  await client.call('write_text_file', { path: 'a.txt', content: 'written\n' })
  return { box, client }
}

verifies(
  'CONTRACT §9 mcp draft tools',
  'a person who types the code of the form publishes, undoes, redoes and discards',
  async () => {
    const asked: Message[] = []
    const onRequest = ({ params }: Message) => {
      asked.push(params)
      return { action: 'accept', content: { confirm: CODE.exec(params.message)![1] } }
    }
    const { box, client } = await drafting({ era: '2025-11-25', capabilities: FORMS, onRequest })
    expect(textOf(await client.call('review_draft'))).toMatch(/a\.txt \(created/)
    const published = textOf(await client.call('publish_draft'))
    expect(box.read('a.txt')).toBe('written\n')
    const [, changeSet] = /change set is (\S+)\./.exec(published)!
    await client.call('undo', { change_set_id: changeSet })
    expect(box.exists('a.txt')).toBe(false)
    await client.call('redo')
    expect(box.read('a.txt')).toBe('written\n')
    await client.call('write_text_file', { path: 'b.txt', content: 'b\n' })
    expect(textOf(await client.call('discard_draft'))).toContain('discarded')
    expect(box.exists('b.txt')).toBe(false)

    const [form] = asked
    const { confirm } = form.requestedSchema.properties
    expect(form.requestedSchema.required).toEqual(['confirm'])
    expect(confirm.title).toMatch(/^Publish the draft drf_\w+ at revision \d+$/)
    expect('default' in confirm || 'enum' in confirm || 'const' in confirm).toBe(false)
    expect(asked).toHaveLength(4)
  },
)

test('since 2026-07-28 the form is the answer, and its state is good for one call, once', async () => {
  const { box, client } = await drafting({ era: '2026-07-28', capabilities: FORMS })
  const first = await client.call('publish_draft')
  expect(first).toMatchObject({ resultType: 'input_required' })
  const { requestState, inputRequests } = first
  const code = CODE.exec(inputRequests.confirm.params.message)![1]
  const replying = (state: string, content: object = { confirm: code }, args = {}) =>
    client.call('publish_draft', args, {
      requestState: state,
      inputResponses: { confirm: { action: 'accept', content } },
    })

  const forged = `${requestState.slice(0, -4)}AAAA`
  await expect(replying(forged)).rejects.toMatchObject({ code: -32602 })
  const other = await replying(requestState, { confirm: code }, { only: ['chg_none'] })
  expect(textOf(other)).toMatch(/^NOT_FOUND/)
  expect(box.exists('a.txt')).toBe(false)

  await client.call('write_text_file', { path: 'b.txt', content: 'b\n' })
  const moved = await replying(requestState)
  expect(moved).toMatchObject({ resultType: 'input_required' }) // the draft is not what the person saw
  expect(box.exists('a.txt')).toBe(false)

  const again = CODE.exec(moved.inputRequests.confirm.params.message)![1]
  expect(again).not.toBe(code)
  expect(textOf(await replying(moved.requestState, { confirm: again }))).toContain('change set is')
  expect(box.read('b.txt')).toBe('b\n')
  await expect(replying(moved.requestState, { confirm: again })).rejects.toMatchObject({
    code: -32602,
  })
})

test('a host that answers by itself writes nothing', async () => {
  const replies = [
    { action: 'accept' },
    { action: 'accept', content: {} },
    { action: 'accept', content: { confirm: '' } },
    { action: 'accept', content: { confirm: 'yes' } },
    { action: 'accept', content: { confirm: 'true', publish: true, approve: true } },
    { action: 'decline' },
    { action: 'cancel' },
  ]
  let reply: object = {}
  const onRequest = () => reply
  const legacy = await drafting({ era: '2025-11-25', capabilities: FORMS, onRequest })
  const modern = await drafting({ era: '2026-07-28', capabilities: FORMS })
  for (reply of replies) {
    expect(textOf(await legacy.client.call('publish_draft'))).toMatch(
      /^pending: nothing was written/,
    )
    const { requestState } = await modern.client.call('publish_draft')
    const answered = await modern.client.call(
      'publish_draft',
      {},
      {
        requestState,
        inputResponses: { confirm: reply },
      },
    )
    expect(textOf(answered)).toMatch(/^pending: nothing was written/)
  }
  const pending = textOf(await legacy.client.call('publish_draft'))
  expect(pending).toMatch(/qst_\w+/)
  expect(pending).toMatch(/http:\/\/127\.0\.0\.1:\d+\//)
  expect(pending).not.toMatch(/token/)
  expect(legacy.box.exists('a.txt') || modern.box.exists('a.txt')).toBe(false)
})

test('an answer from another process is picked up, while the call waits and by a later one', async () => {
  const { box, client } = await drafting({ era: '2025-11-25' })
  const publishing = client.call('publish_draft')
  const id = await openQuestion(box)
  await box.run(['approvals', 'answer', id, 'Publish'])
  expect(await untilDecided(publishing, () => client.call('publish_draft'))).toContain(
    'change set is',
  )
  expect(box.read('a.txt')).toBe('written\n')

  // The host restarts meanwhile.
  await client.call('write_text_file', { path: 'b.txt', content: 'b\n' })
  const onRequest = () => ({ action: 'decline' })
  const other = await connectStdio(box, { era: '2025-11-25', capabilities: FORMS, onRequest })
  expect(textOf(await other.call('publish_draft'))).toMatch(/^pending/)
  await box.run(['approvals', 'answer', await openQuestion(box), 'Leave it as it is'])
  const refused = await client.call('publish_draft')
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toMatch(/^DENIED: Nothing was written/)
  expect(box.exists('b.txt')).toBe(false)
})

test('a patch is written when the person says yes to it, in either era', async () => {
  for (const era of ['2025-11-25', '2026-07-28'] as const) {
    const box = sandbox({ 'a.txt': 'one\n' })
    const onRequest = ({ params }: Message) => ({
      action: 'accept',
      content: { confirm: CODE.exec(params.message)![1] },
    })
    const options = { era, capabilities: FORMS, onRequest, args: ['--toolset', 'workspace'] }
    const client = await connectStdio(box, options)
    const [, version] = /version (\w+)/.exec(
      textOf(await client.call('workspace_read_file', { path: 'a.txt' })),
    )!
    const change = {
      operation: 'replace',
      startLine: 1,
      endLine: 1,
      expectedOriginalLines: ['one'],
      newLines: ['two'],
    }
    const patch = { files: [{ docPath: 'a.txt', originalSha256: version, changes: [change] }] }
    let result = await client.call('workspace_write_patch', patch)
    if (era === '2026-07-28') {
      expect(result.resultType).toBe('input_required')
      const { message } = result.inputRequests.confirm.params
      result = await client.call('workspace_write_patch', patch, {
        requestState: result.requestState,
        inputResponses: {
          confirm: { action: 'accept', content: { confirm: CODE.exec(message)![1] } },
        },
      })
    }
    expect(result.isError, textOf(result)).toBeUndefined()
    expect(box.read('a.txt')).toBe('two\n')
  }
})

test('only the configuration of the person decides for the person', async () => {
  const auto = await drafting({ era: '2025-11-25', env: { FILEWRIGHT_AGENT_PUBLISH: 'auto' } })
  expect(textOf(await auto.client.call('publish_draft'))).toContain('change set is')
  expect(auto.box.read('a.txt')).toBe('written\n')

  const never = await drafting({
    era: '2025-11-25',
    args: ['--publish', 'never'],
    capabilities: FORMS,
  })
  const refused = await never.client.call('publish_draft')
  expect(textOf(refused)).toMatch(/^DENIED: Nothing was written/)
  const asked = never.client.call('publish_draft', { publish: 'auto' })
  expect((await asked).isError).toBe(true)
  expect(never.box.exists('a.txt')).toBe(false)
})

test('a file that other programs execute is never published by an agent', async () => {
  const box = sandbox()
  const client = await connectStdio(box, { era: '2025-11-25', args: ['--publish', 'auto'] })
  await client.call('write_text_file', { path: '.git/hooks/pre-commit', content: 'echo\n' })
  await client.call('write_text_file', { path: 'a.txt', content: 'a\n' })
  const review = textOf(await client.call('review_draft'))
  const hook = /(chg_\w+).*\n?/.exec(review.slice(review.indexOf('pre-commit\n')))?.[1]
  const named = await client.call('publish_draft', { only: [hook ?? 'chg_none'] })
  expect(named.isError, review).toBe(true)
  await client.call('publish_draft')
  expect(box.exists('a.txt')).toBe(true)
  expect(box.exists('.git/hooks/pre-commit')).toBe(false)
})

test('a yes to an undo is good for that undo alone, also after a restart', async () => {
  const onRequest = ({ params }: Message) => ({
    action: 'accept',
    content: { confirm: CODE.exec(params.message)![1] },
  })
  const { box, client } = await drafting({ era: '2025-11-25', capabilities: FORMS, onRequest })
  await client.call('publish_draft')
  expect(textOf(await client.call('undo'))).toMatch(/^Undone: a\.txt/)
  const redone = await box.run(['redo'])
  expect(redone.code, redone.stderr).toBe(0)
  expect(box.read('a.txt')).toBe('written\n')

  const ended = new Promise(resolve => client.child.once('exit', resolve))
  client.child.stdin!.end()
  await ended
  const declining = {
    era: '2025-11-25',
    capabilities: FORMS,
    onRequest: () => ({ action: 'decline' }),
  } as const
  const later = await connectStdio(box, declining)
  expect(textOf(await later.call('undo'))).toMatch(/^pending: nothing was written/)
  expect(box.read('a.txt')).toBe('written\n')
})

test('where there is nothing to take back, nobody is asked', async () => {
  const asked: Message[] = []
  const onRequest = ({ params }: Message) => {
    asked.push(params)
    return { action: 'decline' }
  }
  const { client } = await drafting({ era: '2025-11-25', capabilities: FORMS, onRequest })
  expect(textOf(await client.call('undo'))).toMatch(/^NOT_FOUND: Nothing was written/)
  expect(textOf(await client.call('redo'))).toMatch(/^NOT_FOUND: Nothing was written/)
  const other = await client.call('undo', { change_set_id: 'cs_none' })
  expect(textOf(other)).toMatch(/^NOT_FOUND: .*cs_none/)
  expect(asked).toEqual([])
})

test('a redo takes the id that undo answered', async () => {
  const env = { FILEWRIGHT_AGENT_PUBLISH: 'auto' }
  const { box, client } = await drafting({ era: '2025-11-25', env })
  await client.call('publish_draft')
  const [, undoing] = /change set is (\S+)\./.exec(textOf(await client.call('undo')))!
  expect(box.exists('a.txt')).toBe(false)
  expect(textOf(await client.call('redo', { change_set_id: undoing }))).toMatch(/^Redone: a\.txt/)
  expect(box.read('a.txt')).toBe('written\n')
})

test('the code of a form follows from nothing that a model or a host can see', async () => {
  let subject = ''
  const onRequest = ({ params }: Message) => {
    subject = /drf_\w+ at revision \d+/.exec(params.message)![0]
    const guessed = createHash('sha256').update(`publish_draft\n${subject}`).digest('hex')
    return { action: 'accept', content: { confirm: guessed.slice(0, 6) } }
  }
  const { box, client } = await drafting({ era: '2025-11-25', capabilities: FORMS, onRequest })
  expect(textOf(await client.call('publish_draft'))).toMatch(/^pending/)
  expect(subject).not.toBe('')
  expect(box.exists('a.txt')).toBe(false)
})

test('a question about an older state of the draft waits for nobody', async () => {
  const onRequest = () => ({ action: 'decline' })
  const { box, client } = await drafting({ era: '2025-11-25', capabilities: FORMS, onRequest })
  await client.call('publish_draft')
  await client.call('write_text_file', { path: 'b.txt', content: 'b\n' })
  const pending = textOf(await client.call('publish_draft'))
  const open = (await box.run(['approvals', 'list'])).stdout.match(/qst_\w+/g)
  expect(new Set(open)).toEqual(new Set(pending.match(/qst_\w+/g)))
})

/** The id of the one question that waits. */
async function openQuestion(box: Sandbox): Promise<string> {
  let id: string | undefined
  await expect
    .poll(async () => {
      id = /qst_\w+/.exec((await box.run(['approvals', 'list'])).stdout)?.[0]
      return id
    })
    .toBeDefined()
  return id!
}
