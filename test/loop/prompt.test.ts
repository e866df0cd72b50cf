import type { ModelRequest } from '@filewright/loop'
import type { Review } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, rowsOf, runTo, says, send, until, untilEnded } from './running.ts'

describe('what the model is sent first', () => {
  verifies(
    [
      'ADR-0010 §Key Design Principles 2 metadata first',
      'ADR-0010 §New Workshop Flow manifest not content',
      'TUL-004 §7.5 directory snapshot',
      'TUL-004 §7.5 snapshot without build output',
    ],
    'names and sizes of the files, no build output, and no contents',
    async () => {
      const { model, requests } = recorder([says('Hello.')])
      const product = await embedded(
        {
          'src/deep/report.md': 'the secret of the report\n',
          'node_modules/left-pad/index.js': 'pad\n',
          'dist/bundle.js': 'built\n',
          '.git/HEAD': 'ref: main\n',
        },
        { model },
      )
      await runTo(product, 'Hello.')
      const { messages, tools } = requests[0]!
      const first = messages[0]!.text
      expect(first).toContain('src/deep/report.md')
      expect(first).toContain('src/deep/')
      expect(JSON.stringify(messages)).not.toMatch(
        /secret of the report|node_modules|dist\/|\.git\//,
      )
      expect(tools.map(tool => tool.name)).toContain('read_file')
    },
  )

  verifies(
    ['TUL-004 §7 guidance in prompt and catalog', 'TUL-004 §8 guidance in the system prompt'],
    'the guidance of the offered tools, the same words as in the catalog',
    async () => {
      const { model, requests } = recorder([says('Hello.')])
      const product = await embedded({}, { model })
      await runTo(product, 'Hello.', { toolset: 'workspace' })
      const { value } = await product.ask('tools')
      const { guidance } = value.find(
        (tool: { name: string }) => tool.name === 'workspace_create_file',
      )
      expect(guidance.length).toBeGreaterThan(40)
      expect(requests[0]!.system).toContain(guidance)
      expect(requests[0]!.system).not.toContain('xlsx_operations')
    },
  )

  verifies(
    'TUL-004 §7.5 paths of the conversation',
    'the paths that earlier runs of the conversation used',
    async () => {
      const { model, requests } = recorder([
        says('', call('write_text_file', { path: 'new/idea.txt', content: 'x\n' })),
        says('Written.'),
        says('Again.'),
      ])
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      await runTo(product, 'Write an idea.')
      await runTo(product, 'Thanks.')
      const news = requests[2]!.messages.at(-2)!.text
      expect(news).toMatch(/^\[Filewright\] .*\n\n# Paths used so far\n- new\/idea\.txt/)
    },
  )
})

describe('active files', () => {
  verifies(
    [
      'CONTRACT §2 active text in prompt',
      'CONTRACT §2 active buffer first',
      'CONTRACT §2 already in context is true',
    ],
    'come late in the prompt in their current state, the unsaved text first, and are not read again',
    async () => {
      const { model, requests } = recorder([
        says('', call('workspace_read_file', { path: 'a.txt' })),
        says('I know it.'),
      ])
      const product = await embedded({ 'a.txt': 'on disk\n', 'b.txt': 'second\n' }, { model })
      await activate(product, 'a.txt', 'not saved yet\n')
      await activate(product, 'b.txt')
      const { rows } = await runTo(product, 'What is in a.txt?', { toolset: 'workspace' })
      const late = JSON.stringify(requests[0]!.messages)
      expect(late).toContain('not saved yet')
      expect(late).toContain('second')
      expect(late).not.toContain('on disk')
      expect(requests[0]!.system).not.toContain('not saved yet')
      expect(bodies(rows, 'tool_result')[0]).toMatchObject({ error_code: 'ALREADY_IN_CONTEXT' })
    },
  )

  verifies(
    ['CONTRACT §2 active too large not sent', 'CONTRACT §2 already in context is true'],
    'that are over the bound are named as not sent, and a read answers with content',
    async () => {
      const { model, requests } = recorder(
        [
          says('', call('workspace_read_file', { path: 'mid.txt', lineCount: 2 })),
          says('', call('workspace_read_file', { path: 'big.txt', lineCount: 2 })),
          says('Read.'),
        ],
        { contextTokens: 20_000 },
      )
      const mid = 'a line of some forty characters, or more\n'.repeat(600) // fits 256 KB, not a quarter of the context
      const big = 'a line of some forty characters, or more\n'.repeat(7_000)
      const product = await embedded({ 'mid.txt': mid, 'big.txt': big }, { model })
      await activate(product, 'mid.txt')
      await activate(product, 'big.txt')
      const { rows } = await runTo(product, 'Read them.', { toolset: 'workspace' })
      const late = JSON.stringify(requests[0]!.messages)
      expect(late).toMatch(/mid\.txt[^\n]{0,40}not sent/)
      expect(late).toMatch(/big\.txt[^\n]{0,40}not sent/)
      expect(bodies(rows, 'tool_result')).toMatchObject([{ success: true }, { success: true }])
      expect(bodies(rows, 'tool_result')[0]!.content).toContain('forty characters')
    },
  )

  test('are read by the encoding that they have, as house rules are, which are cut and not left out when they are long', async () => {
    const { model, requests } = recorder([says('I see.')])
    const legacy = Buffer.from('Gr\u00fc\u00dfe aus K\u00f6ln\nund weiter\n', 'latin1')
    const rules = `\ufeff${'Write short sentences. '.repeat(4000)}`
    const product = await embedded(
      {
        'a.txt': legacy,
        'AGENTS.md': Buffer.from(rules, 'utf16le'),
        'FILEWRIGHT.md': new Uint8Array(9),
      },
      { model },
    )
    const body = { effect: 'instructions', path: 'AGENTS.md' }
    await product.ask('addRule', { body })
    await activate(product, 'a.txt')
    await runTo(product, 'What is it?')
    expect(JSON.stringify(requests[0]!.messages)).toContain('Grüße aus Köln')
    const first = requests[0]!.messages[0]!.text
    expect(first).toContain('Write short sentences. Write')
    expect(first).toContain('… (cut; read the file)')
    expect(first).not.toContain('\0')
    expect(first.length).toBeLessThan(50_000)
  })

  verifies(
    'CONTRACT §2 active by mention',
    'are also those that a person mentions, in the message that starts a run; an unsaved buffer stays',
    async () => {
      const { model, requests } = recorder([says('I see.'), says('I see more.')])
      const files = { 'notes/May.md': 'spring\n', 'b.txt': 'on disk\n', 'c.txt': 'not this\n' }
      const product = await embedded(files, { model })
      await activate(product, 'b.txt', 'unsaved\n')
      await runTo(product, 'What of @Notes/may.md, @b.txt and @nobody?')
      const late = JSON.stringify(requests[0]!.messages)
      expect(late).toContain('spring')
      expect(late).toContain('unsaved')
      expect(late).not.toContain('not this')
      const { value } = await product.ask('listActiveFiles', {
        params: { sessionId: product.sessionId },
      })
      expect(value.files.map((file: { docPath: string }) => file.docPath)).toEqual([
        'b.txt',
        'notes/may.md',
      ])
    },
  )

  verifies(
    'CONTRACT §2 active as the draft has it',
    'are sent as the draft has them while a run works in it, and as they are on disk otherwise',
    async () => {
      const edit = (search: string, replace: string) =>
        call('edit_text_file', { path: 'a.txt', edits: [{ search, replace }] })
      const { model, requests } = recorder([
        says('', edit('one', 'two')),
        says('', edit('two', 'three')),
        says('Done.'),
        says('', call('workspace_read_file', { path: 'a.txt' })),
        says('I see the disk.'),
      ])
      const product = await embedded({ 'a.txt': 'one\n' }, { model })
      await activate(product, 'a.txt')
      const { rows } = await runTo(product, 'Count.')
      const { value: review } = await product.ask<Review>('review')
      expect(review.changes.map(({ place }) => place)).toEqual(['line 1', 'line 1'])
      const sent = requests.map(({ messages }) => activeIn(messages))
      expect(sent[0]).toMatch(/<file "a\.txt · [0-9a-f]{8}">\none\n/)
      expect(sent[1]).toMatch(/<file "a\.txt · [0-9a-f]{8} · as the draft has it">\ntwo\n/)
      expect(sent[2]).toMatch(/<file "a\.txt · [0-9a-f]{8} · as the draft has it">\nthree\n/)
      const { version } = await product.call('read_file', { path: 'a.txt' })
      expect(sent[2]).toContain(`a.txt · ${version} ·`)
      const contexts = bodies(rows, 'context').map(({ layers }) => JSON.stringify(layers))
      expect(contexts.at(-1)).toContain(`a.txt@${version}`)

      await runTo(product, 'And on disk?', { toolset: 'workspace' })
      expect(activeIn(requests[3]!.messages)).toMatch(/<file "a\.txt · [0-9a-f]{8}">\none\n/)
      const last = bodies(await rowsOf(product), 'tool_result').at(-1)
      expect(last).toMatchObject({ error_code: 'ALREADY_IN_CONTEXT' })
      const history = await product.ask('history', { query: { path: 'a.txt' } })
      expect(history.value.items).toHaveLength(1)
    },
  )

  test('that are not text are sent with their map in the draft', async () => {
    const ensure = (sheet: string) =>
      call('xlsx_operations', { path: 'plan.xlsx', operations: [{ op: 'ensure_sheet', sheet }] })
    const { model, requests } = recorder([says('', ensure('Second')), says('Done.')])
    const product = await embedded({}, { model })
    await product.call('xlsx_operations', {
      path: 'plan.xlsx',
      create_if_missing: true,
      operations: [{ op: 'ensure_sheet', sheet: 'First' }],
    })
    await product.ask('publish', { body: {} })
    await activate(product, 'plan.xlsx')
    await runTo(product, 'Add a sheet.')
    const [before, after] = requests.map(({ messages }) => activeIn(messages))
    expect(before).toContain('First')
    expect(before).not.toContain('Second')
    expect(after).toContain('Second')
    expect(after).toContain('as the draft has it')
  })

  test('that the draft deleted are not sent', async () => {
    const operations = [{ op: 'delete', path: 'a.txt' }]
    const { model, requests } = recorder([
      says('', call('file_operations', { operations })),
      says('Gone.'),
    ])
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'two\n' }, { model })
    await activate(product, 'a.txt')
    await activate(product, 'b.txt')
    await runTo(product, 'Delete a.txt.')
    expect(activeIn(requests[1]!.messages)).toContain('two\n')
    expect(activeIn(requests[1]!.messages)).not.toContain('one')
  })

  verifies(
    'CONTRACT §2 active other formats map',
    'that are not text appear with their map',
    async () => {
      const { model, requests } = recorder([says('A workbook.')])
      const product = await embedded({}, { model })
      await product.call('xlsx_operations', {
        path: 'plan.xlsx',
        create_if_missing: true,
        operations: [
          { op: 'ensure_sheet', sheet: 'Budget' },
          { op: 'set_cells', sheet: 'Budget', cells: [{ cell: 'B2', value: 'only in the cell' }] },
        ],
      })
      await product.ask('publish', { body: {} })
      await activate(product, 'plan.xlsx')
      await runTo(product, 'What is it?')
      const late = JSON.stringify(requests[0]!.messages)
      expect(late).toContain('<map')
      expect(late).toContain('Budget')
    },
  )

  verifies(
    ['CONTRACT §2 active sent again', 'CONTRACT §7 compaction keeps'],
    'are in the next prompt again after a compaction, which names the versions of what was read',
    async () => {
      const filler = 'Words that fill a context, one after the other. '.repeat(300)
      const { model, requests } = recorder(
        [
          ...Array.from({ length: 40 }, (_, i) =>
            says(
              'Next.',
              call('read_file', { path: 'long.txt', line_start: i + 1, line_count: 1 }),
            ),
          ),
          says('Done.'),
        ],
        { contextTokens: 12_000 },
      )
      const product = await embedded(
        { 'long.txt': `${filler}\n`.repeat(40), 'a.txt': 'always with me\n' },
        { model },
      )
      await activate(product, 'a.txt')
      const { rows } = await runTo(product, 'Read it all.')
      expect(bodies(rows, 'compaction').some(({ summary }) => summary !== undefined)).toBe(true)
      expect(JSON.stringify(requests.at(-1)!.messages)).toContain('always with me')
      const [read] = bodies(rows, 'tool_result')
      const version = /version ([0-9a-f]{8})/.exec(read!.content)![1]!
      const late = requests
        .at(-1)!
        .messages.find(({ text }) => text.includes('# Paths used so far'))
      expect(late!.text).toContain(`- long.txt · ${version}`)
    },
  )
})

describe('modes and borders of a conversation', () => {
  verifies(
    ['CONTRACT §7 plan first', 'ADR-0010 §Multi-stage pipeline unified loop'],
    'reading and writing are one loop; only a person who asks for a plan gets one, without tools that write',
    async () => {
      const { model, requests } = recorder([
        says('I read, then I write.', call('read_file', { path: 'a.txt' })),
        says('', call('edit_text_file', { path: 'a.txt', edits: [{ search: 'a', replace: 'b' }] })),
        says('Done.'),
        says('My plan is this.'),
      ])
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      const direct = await runTo(product, 'Make it b.')
      expect(direct.end.closing).toMatch(/^1 file in the draft/)
      expect(requests[0]!.tools.map(tool => tool.name)).toContain('edit_text_file')
      expect(JSON.stringify(requests[0]!.messages)).not.toContain('plan first')
      await runTo(product, 'And now c?', { plan: true })
      const planned = requests.at(-1)!
      expect(planned.tools.map(tool => tool.name)).toContain('read_file')
      expect(planned.tools.map(tool => tool.name)).not.toContain('edit_text_file')
      expect(planned.messages.at(-2)!.text).toContain('The person asked for a plan first')
    },
  )

  verifies(
    'CONTRACT §1 clearing the context',
    'a cleared context is a new conversation of the same session, which knows nothing of the old one',
    async () => {
      const { model, requests } = recorder([says('Noted.'), says('Noted too.')])
      const product = await embedded({}, { model })
      await runTo(product, 'My name is Ada.')
      const [before] = await rowsOf(product)
      const { value } = await product.ask('clear', { params: { sessionId: product.sessionId } })
      expect(value.conversationId).not.toBe(before!.conversationId)
      const { rows } = await runTo(product, 'Who am I?')
      expect(rows.at(-1)).toMatchObject({
        sessionId: product.sessionId,
        conversationId: value.conversationId,
      })
      expect(JSON.stringify(requests.at(-1)!.messages)).not.toContain('Ada')
    },
  )

  verifies(
    'CONTRACT §6 chat goes on',
    'a conversation continues while its draft is open, and a message during a run steers it',
    async () => {
      let release = () => {}
      const held = new Promise<void>(resolve => (release = resolve))
      const { model, requests } = recorder(
        [
          says('', call('write_text_file', { path: 'a.txt', content: 'a\n' })),
          says('Written.'),
          says('', call('write_text_file', { path: 'b.txt', content: 'b\n' })),
          says('', call('write_text_file', { path: 'beta.txt', content: 'b\n' })),
          says('As you said.'),
        ],
        { before: async step => (step === 2 ? held : undefined) },
      )
      const product = await embedded({}, { model })
      await runTo(product, 'Write a.')
      await send(product, 'Write b.')
      expect(await send(product, 'And call it beta.')).toMatchObject({ steered: true })
      release()
      const { end } = await untilEnded(product)
      expect(end.closing).toMatch(/^2 files in the draft: a\.txt .*, beta\.txt /)
      expect(JSON.stringify(requests.at(-1)!.messages)).toContain('And call it beta.')
      const { value: drafts } = await product.ask('listDrafts')
      expect(drafts).toHaveLength(1)
    },
  )

  verifies(
    'CONTRACT §3 result when cancelled',
    'a run cancelled while it waits for a person takes its approval back: a later yes writes nothing',
    async () => {
      const { model } = recorder([
        says('', call('workspace_create_file', { path: 'new.txt', content: 'x\n' })),
        says('Not reached.'),
      ])
      const product = await embedded({}, { model })
      const waiting = await runTo(product, 'Make it.', { toolset: 'workspace', approve: 'rules' })
      expect(waiting.end.reason).toBe('waiting')
      const { value: open } = await product.ask('listApprovals')
      await product.ask('cancel', { params: { sessionId: product.sessionId } })
      await until(product, state => state === 'idle')
      const { end, rows } = await untilEnded(product)
      expect(end).toMatchObject({ reason: 'cancelled', closing: 'No file was changed' })
      expect(bodies(rows, 'tool_result')).toMatchObject([{ error_code: 'CANCELLED' }])
      await product.ask('decide', {
        params: { approvalId: open[0].id },
        body: { decision: 'approved' },
      })
      expect(() => product.read('new.txt')).toThrow('ENOENT')
      expect((await product.ask('listApprovals')).value).toEqual([])
    },
  )

  verifies(
    ['CONTRACT §7 receipt recalled', 'CONTRACT §7 read within the bound whole'],
    'a result over the bound is a receipt, and its id gives all of it page by page',
    async () => {
      const textOf = (name: string) =>
        Array.from({ length: 1_400 }, (_, n) => `${name} line ${n} of a long text`).join('\n')
      const names = ['a', 'b', 'c', 'd', 'e']
      const { model } = recorder([
        says('All at once.', ...names.map(name => call('read_file', { path: `${name}.txt` }))),
        says('Seen.'),
      ])
      const files = Object.fromEntries(names.map(name => [`${name}.txt`, textOf(name)]))
      const product = await embedded(files, { model })
      const { rows } = await runTo(product, 'Read all of them.')
      const results = bodies(rows, 'tool_result')
      expect(results[0]!.content).toMatch(/^\d+\|(.) line 0 .*\1 line 1399 of a long text/ms) // whichever was read first
      expect(results[0]!.full).toBeUndefined()
      const receipt = results.find(result => result.full)!
      expect(receipt.content).toContain('recall_tool_result')
      expect(receipt.content.length).toBeLessThan(2048)
      let whole = ''
      for (let offset: number | null = 0; offset !== null; ) {
        const page: { content: string; nextOffset: number | null } = await product.call(
          'recall_tool_result',
          { id: receipt.tool_call_id, offset },
        )
        whole += page.content
        offset = page.nextOffset
      }
      expect(Buffer.byteLength(whole)).toBe(receipt.full!.sizeBytes)
      expect(whole).toContain('line 1399 of a long text')
    },
  )
})

async function activate(
  product: Awaited<ReturnType<typeof embedded>>,
  path: string,
  buffer?: string,
) {
  const { status } = await product.ask('addActiveFile', {
    params: { sessionId: product.sessionId },
    body: { path, ...(buffer !== undefined && { buffer }) },
  })
  expect(status).toBe(200)
}

/** The part of the request with the active files. */
function activeIn(messages: ModelRequest['messages']): string {
  return messages.flatMap(({ text }) => (text?.startsWith('Active files') ? [text] : [])).join('\n')
}
