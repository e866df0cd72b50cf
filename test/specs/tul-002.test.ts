import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mapLine } from '@filewright/documents/text'
import { findTool } from '@filewright/tools'
import { describe, expect, test, vi } from 'vitest'
import { type Answer, type Embedded, embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { attachIndependent } from './independent-client.ts'

const PATCH = 'workspace_write_patch'
const ABC = 'a\nb\nc\nd\ne\nf\n'

describe('the base', () => {
  verifies(
    [
      'TUL-002 §1 sha256 of the base',
      'TUL-002 §3 store otherwise',
      'TUL-002 §4.2.1 sha256 of stored content',
    ],
    'the hash that a read gave is the base, by its full digits or as a version, and no other content is',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
      expect(file.sha256).toBe(sha256(ABC))
      const first = await product.call(PATCH, batch('a.txt', file.sha256, replace(1, 'a', 'A')))
      expect(first).toMatchObject({ success: true, files: [{ originalSha256: file.sha256 }] })
      const second = await product.call(
        PATCH,
        batch('a.txt', first.files[0].version, replace(2, 'b', 'B')),
      )
      expect(second).toMatchObject({ success: true, files: [{ rebased: false }] })
      const foreign = await product.call(PATCH, batch('a.txt', sha256('a\n'), replace(3, 'c', 'C')))
      expect(foreign).toMatchObject({ success: false, errorCode: 'CONFLICT' })
      expect(product.read('a.txt')).toBe('A\nB\nc\nd\ne\nf\n')
    },
  )

  verifies(
    [
      'TUL-002 §3 active file first',
      'TUL-002 §4.2.1 sha256 of active content',
      'CONTRACT §2 patch on unsaved buffer',
    ],
    'a patch on an active file is checked against its unsaved text, whose hash is the accepted base',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const unsaved = ABC.replace('f\n', 'unsaved\n')
      const params = { sessionId: product.sessionId }
      await product.ask('addActiveFile', { params, body: { path: 'a.txt', buffer: unsaved } })
      const { value } = await product.ask('listActiveFiles', { params })
      expect(value.files[0]).toMatchObject({ sha256: sha256(unsaved), isDirty: true })
      const onUnsaved = replace(6, 'unsaved', 'more')
      const made = await product.call(PATCH, batch('a.txt', '00000000', onUnsaved))
      expect(made).toMatchObject({ errorCode: 'CONFLICT', version: sha256(unsaved).slice(0, 8) })
      expect(made.corrected.files[0].originalSha256).toBe(made.version)
      const elsewhere = await product.call(
        PATCH,
        batch('a.txt', sha256(unsaved), replace(6, 'f', 'F')),
      )
      expect(elsewhere.message).toContain('line 6 is "unsaved"')
      const rebased = await product.call(
        PATCH,
        batch('a.txt', sha256(unsaved), replace(2, 'b', 'B')),
      )
      expect(rebased).toMatchObject({ success: true, files: [{ rebased: true }] })
      expect(rebased.warnings.join()).toContain('"a.txt" has unsaved changes')
      expect(product.read('a.txt')).toBe('a\nB\nc\nd\ne\nf\n')
      const unsavedLine = await product.call(PATCH, batch('a.txt', sha256(unsaved), onUnsaved))
      expect(unsavedLine).toMatchObject({ success: false, errorCode: 'CONFLICT' })
      expect(unsavedLine.corrected).toBeUndefined()
      expect(unsavedLine.message).toMatch(/^Nothing was written: .* has unsaved changes where/)
    },
  )

  verifies(
    [
      'TUL-002 §2.1 optimistic concurrency',
      'TUL-002 §1 client verifies',
      'CONTRACT §5 rebased is shown',
    ],
    'a read locks nothing; a file that changed is noticed by its hash, and reported as rebased',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const version = await versionOf(product, 'a.txt')
      const args = batch('a.txt', version, replace(2, 'b', 'B'))
      const { approvalId } = await product.call(PATCH, args, { approve: 'ask' })
      product.write('a.txt', `new top\n${ABC}`)
      const listed = await product.ask('listApprovals', {})
      const [shown] = listed.value as { warnings: string[]; diffs: { diff: string }[] }[]
      expect(shown!.warnings.join()).toContain('"a.txt" changed since this was planned')
      expect(shown!.warnings.join()).toContain('each change names the place it was planned for')
      expect(shown!.diffs[0]!.diff).toContain('@@ -1,6 +1,6 @@\n new top\n a\n-b\n+B\n')
      const { envelope } = await decide(product, approvalId)
      expect(envelope).toMatchObject({ success: true, files: [{ rebased: true }] })
      expect(envelope.message).toContain('moved on')
      expect(envelope.files[0].diff).toContain('@@ -1,6 +1,6 @@\n new top\n a\n-b\n+B\n')
      expect(mapLine(envelope.files[0].lineMap, 4)).toBe(5)
      expect(product.read('a.txt')).toBe('new top\na\nB\nc\nd\ne\nf\n')
    },
  )

  test('one answer names every file that changed, each with its lines', async () => {
    const product = await embedded({ 'a.txt': ABC, 'b.txt': ABC })
    const version = await versionOf(product, 'a.txt')
    await versionOf(product, 'b.txt')
    const files = ['a.txt', 'b.txt'].flatMap(
      path => batch(path, version, replace(2, 'b', 'B')).files,
    )
    const { approvalId } = await product.call(PATCH, { files }, { approve: 'ask' })
    for (const path of ['a.txt', 'b.txt']) product.write(path, ABC.replace('b', `new in ${path}`))
    const listed = await product.ask('listApprovals', {})
    const [shown] = listed.value as { warnings: string[] }[]
    expect(shown!.warnings.join()).toContain('It cannot be written as it is')
    const { envelope } = await decide(product, approvalId)
    expect(envelope).toMatchObject({ success: false, errorCode: 'CONFLICT' })
    for (const path of ['a.txt', 'b.txt']) {
      expect(envelope.message).toContain(`"${path}" changed`)
      expect(JSON.stringify(envelope.files)).toContain(`new in ${path}`)
    }
  })

  verifies(
    ['CONTRACT §5 all problems at once', 'CONTRACT §5 problems with their path'],
    'one answer reports changes that are invalid and changes that do not fit their file',
    async () => {
      const product = await embedded({ 'a.txt': ABC, 'b.txt': ABC, 'c.bin': new Uint8Array(9) })
      const version = await versionOf(product, 'a.txt')
      const files = [
        ...batch('a.txt', version, { operation: 'insert', newLines: ['x'] }, replace(3, 'x', 'C'))
          .files,
        ...batch('b.txt', version, { operation: 'insert', afterLine: 99, newLines: ['x'] }).files,
        ...batch('none.txt', version, replace(1, 'a', 'A')).files,
        ...batch('c.bin', version, replace(1, 'a', 'A')).files,
      ]
      const refused = await product.call(PATCH, { files, batchLabel: 5 })
      expect(refused).toMatchObject({ success: false, errorCode: 'INVALID_ARGUMENT' })
      expect(refused.message).toMatch(/^Nothing was written: 6 problems in the arguments/)
      expect(refused.message.match(/Nothing was written/g)).toHaveLength(1)
      expect(refused.errors.map((error: string) => error.split(': ')[0])).toEqual([
        'batchLabel',
        'files[0].changes[0].afterLine',
        'files[0].changes[1].expectedOriginalLines',
        'files[1].changes[0].afterLine',
        'files[2].docPath',
        'files[3]',
      ])
    },
  )

  verifies(
    'TUL-002 §5.3 client compares expected lines',
    'lines that change between check and approval are a conflict: nothing written, the current lines shown',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const args = batch('a.txt', await versionOf(product, 'a.txt'), replace(2, 'b', 'B'))
      const { approvalId } = await product.call(PATCH, args, { approve: 'ask' })
      product.write('a.txt', ABC.replace('b', 'by another'))
      const { envelope } = await decide(product, approvalId)
      expect(envelope).toMatchObject({ success: false, errorCode: 'CONFLICT', kind: 'conflict' })
      expect(envelope.version).toBe(sha256(product.read('a.txt')).slice(0, 8))
      expect(JSON.stringify(envelope.conflicts)).toContain('by another')
      expect(product.read('a.txt')).toBe(ABC.replace('b', 'by another'))
    },
  )
})

describe('names', () => {
  verifies(
    [
      'TUL-002 §3 docPath only key',
      'TUL-002 §4.2.1 docPath same everywhere',
      'CONTRACT §2 docPath only key',
    ],
    'every tool accepts the docPath of a list, a read, an active file or a result unchanged',
    async () => {
      const product = await embedded({ 'Src/Übung.ts': ABC })
      const listed = (await product.call('workspace_list_files', {})).files[0].docPath
      const read = (await product.call('workspace_read_file', { path: listed })).file
      const params = { sessionId: await product.newSession() }
      const added = await product.ask('addActiveFile', { params, body: { path: read.docPath } })
      const docPath = added.value.docPath
      const patched = await product.call(PATCH, batch(docPath, read.version, replace(1, 'a', 'A')))
      expect([listed, read.docPath, docPath, patched.files[0].docPath]).toEqual(
        Array(4).fill('src/übung.ts'),
      )
      expect(patched.files[0].path).toBe('Src/Übung.ts')
      const byOther = batch('src/übung.ts', patched.files[0].version, replace(2, 'b', 'B'))
      const { docPath: _, ...rest } = byOther.files[0]!
      expect(
        await product.call(PATCH, { files: [{ path: 'src/übung.ts', ...rest }] }),
      ).toMatchObject({ errorCode: 'INVALID_ARGUMENT' })
    },
  )

  verifies(
    [
      'TUL-002 §1 descriptions and keys',
      'TUL-002 §4.1.1 batchLabel optional',
      'TUL-002 §4.2.1 fileLabel optional',
      'TUL-002 §5.1.1 description optional',
    ],
    'labels, keys and descriptions are stored, shown and returned; without them the same bytes are written',
    async () => {
      const labels = { batchLabel: 'Rename b', batchKey: 'rename' }
      const fileLabels = { fileLabel: 'The list', fileKey: 'list' }
      const why = { description: 'b is too short', changeKey: 'b-longer' }
      const plain = await embedded({ 'a.txt': ABC })
      const named = await embedded({ 'a.txt': ABC })
      const version = await versionOf(plain, 'a.txt')
      await versionOf(named, 'a.txt')
      await plain.call(PATCH, batch('a.txt', version, replace(2, 'b', 'bee')))
      const args = batch('a.txt', version, { ...replace(2, 'b', 'bee'), ...why })
      const files = [{ ...args.files[0], ...fileLabels }]
      const { approvalId } = await named.call(PATCH, { ...labels, files }, { approve: 'ask' })
      const { value } = await named.ask('listApprovals')
      expect(value[0]).toMatchObject({
        label: 'Rename b',
        changes: [{ description: 'b is too short' }],
      })
      const { envelope } = await decide(named, approvalId)
      expect(envelope).toMatchObject({ ...labels, files: [{ ...fileLabels, changes: [why] }] })
      const stored = await named.call('workspace_get_patch_change', { id: envelope.batchId })
      expect(stored).toMatchObject({ ...labels, files: [{ ...fileLabels, changes: [why] }] })
      expect(named.read('a.txt')).toBe(plain.read('a.txt'))
    },
  )

  verifies(
    'TUL-002 §7.2 keys in the interface',
    "the person who is asked sees the model's keys and labels next to each change",
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const version = await versionOf(product, 'a.txt')
      const args = batch(
        'a.txt',
        version,
        { ...replace(1, 'a', 'A'), changeKey: 'upper' },
        replace(3, 'c', 'C'),
      )
      const files = [{ ...args.files[0], fileKey: 'letters', fileLabel: 'Capitals' }]
      await product.call(PATCH, { batchKey: 'caps', files }, { approve: 'ask' })
      const { value } = await product.ask('listApprovals')
      const shared = { batchKey: 'caps', fileKey: 'letters', fileLabel: 'Capitals' }
      expect(value[0].changes.map((change: Answer) => change.labels)).toEqual([
        { ...shared, changeKey: 'upper' },
        shared,
      ])
    },
  )

  verifies(
    [
      'TUL-002 §4.2.1 fileKey not for storage',
      'TUL-002 §5.1.1 changeKey not for storage',
      'TUL-002 §7.2 ids authoritative',
    ],
    'equal keys are never confused, and a key is not an id',
    async () => {
      const product = await embedded({ 'a.txt': ABC, 'b.txt': ABC })
      const version = await versionOf(product, 'a.txt')
      await versionOf(product, 'b.txt')
      const change = { ...replace(1, 'a', 'A'), changeKey: 'same' }
      const files = ['a.txt', 'b.txt'].map(docPath => ({
        ...batch(docPath, version, change).files[0],
        fileKey: 'same',
      }))
      const answer = await product.call(PATCH, { batchKey: 'same', files })
      const ids = answer.files.flatMap((file: Answer) => [
        file.filePatchId,
        file.changes[0].changeId,
      ])
      expect(new Set([answer.batchId, ...ids]).size).toBe(5)
      for (const [i, file] of answer.files.entries()) {
        const id = file.changes[0].changeId
        expect(await product.call('workspace_get_patch_change', { id })).toMatchObject({
          changeKey: 'same',
          docPath: files[i]!.docPath,
        })
      }
      expect(await product.call('workspace_get_patch_change', { id: 'same' })).toMatchObject({
        errorCode: 'NOT_FOUND',
      })
    },
  )

  verifies(
    ['TUL-002 §5.1.1 changeId for later', 'TUL-002 §11 introspection', 'TUL-002 §11 unified diff'],
    'the ids of a result find batch, file patch and change again, each with diff and fate',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const args = batch(
        'a.txt',
        await versionOf(product, 'a.txt'),
        replace(2, 'b', 'B'),
        remove(4, 'd'),
      )
      const answer = await product.call(PATCH, args)
      const [one, two] = answer.files[0].changes
      const sessionId = await product.newSession()
      const find = (id: string) => product.call('workspace_get_patch_change', { id }, { sessionId })
      await vi.waitFor(
        async () => expect((await find(answer.batchId)).fate).toBe('uploaded'),
        PATIENCE,
      )
      expect(await find(one.changeId)).toMatchObject({
        operation: 'replace',
        startLine: 2,
        newLines: ['B'],
      })
      expect((await find(one.changeId)).diff).toMatch(/^-b\n\+B$/m)
      expect((await find(one.changeId)).diff).not.toMatch(/^-d$/m)
      expect(await find(two.changeId)).toMatchObject({ operation: 'delete', fate: 'uploaded' })
      const whole = await find(answer.files[0].filePatchId)
      expect(whole).toMatchObject({ docPath: 'a.txt', batchId: answer.batchId })
      expect(whole.diff).toMatch(/^-b\n\+B$/m)
      expect(whole.diff).toMatch(/^-d$/m)
    },
  )
})

describe('the way of a batch', () => {
  verifies(
    ['TUL-002 §8.6 server flow', 'TUL-002 §1 one wire contract'],
    'the server checks, stores and numbers a batch before any client sees it, in the declared shape',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const version = await versionOf(product, 'a.txt')
      await product.detach()
      const other = await attachIndependent(product, { isHeld: true })
      other.files.set('a.txt', Buffer.from(ABC))
      const calling = product.call(PATCH, batch('a.txt', version, replace(2, 'b', 'B')))
      const isCall = ({ method }: { method: string }) => method === 'tool-call'
      await vi.waitFor(() => expect(other.requests.filter(isCall)).toHaveLength(1), PATIENCE)
      const { turn } = other.requests.find(isCall)!.params
      const forwarded = JSON.parse(turn.toolCalls[0].argumentsJson)
      const { forwards, input } = findTool(PATCH)!.declaration
      expect(input.safeParse(batch('a.txt', version, replace(2, 'b', 'B'))).success).toBe(true)
      expect(forwards!.parse(forwarded)).toEqual(forwarded)
      expect(forwarded.files[0].sha256).toBe(sha256(ABC))
      const stored = await product.stores.patches.find(
        product.workspaceId as never,
        forwarded.batchId,
      )
      expect(stored).toMatchObject({ ok: true, value: { batch: { fate: 'stored' } } })
      other.release()
      await calling
      other.close()
      const refused = await product.call(PATCH, batch('a.txt', version, replace(9, 'x', 'y')))
      expect(refused.errorCode).toBe('INVALID_ARGUMENT')
      expect(other.requests.filter(isCall)).toHaveLength(1)
    },
  )

  verifies(
    ['TUL-002 §8.6 client flow', 'TUL-002 §10 single file'],
    'the client applies to the bytes it verified, uploads them, and answers in the declared shape',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const answer = await product.call(
        PATCH,
        batch('a.txt', await versionOf(product, 'a.txt'), replace(2, 'b', 'B'), insert(6, 'g')),
      )
      expect(findTool(PATCH)!.declaration.output.safeParse(answer).success).toBe(true)
      expect(answer.files[0].changes.map((change: Answer) => change.status)).toEqual([
        'applied',
        'applied',
      ])
      const now = 'a\nB\nc\nd\ne\nf\ng\n'
      expect(readFileSync(join(product.dir, 'a.txt'), 'utf8')).toBe(now)
      expect(answer.files[0]).toMatchObject({
        sha256: sha256(now),
        version: sha256(now).slice(0, 8),
      })
      await vi.waitFor(async () => {
        const { value } = await product.ask('history', { query: { path: 'a.txt' } })
        expect(value.items[0]).toMatchObject({
          sha256: sha256(now),
          origin: { kind: 'change-set' },
        })
      }, PATIENCE)
    },
  )

  verifies(
    [
      'TUL-002 §9 envelope not throw',
      'TUL-002 §9 validation fails clearly',
      'CONTRACT §5 nothing stored when refused',
    ],
    'each bad range, overlap or hash is a result that names its place, and nothing is stored',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const version = await versionOf(product, 'a.txt')
      const bad: [unknown, RegExp][] = [
        [
          batch('a.txt', version, { ...replace(3, 'c', 'C'), endLine: 2 }),
          /files\[0\]\.changes\[0\]\.endLine: is 2/,
        ],
        [
          batch('a.txt', version, replace(40, 'c', 'C')),
          /files\[0\]\.changes\[0\]\.endLine: is 40, but the file has 6 lines/,
        ],
        [
          batch('a.txt', version, remove(2, 'b'), replace(2, 'b', 'B')),
          /changes\[1\]: replace line 2 overlaps .*changes\[0\]/,
        ],
        [batch('a.txt', 'xyz', replace(2, 'b', 'B')), /files\[0\]\.originalSha256/],
        [{}, /files: is missing/],
        ['[]', /it must be an object/],
        [null, /files: is missing/],
      ]
      for (const [args, place] of bad) {
        const answer = await product.call(PATCH, args)
        expect(answer).toMatchObject({
          success: false,
          errorCode: 'INVALID_ARGUMENT',
          kind: 'invalid',
        })
        expect(answer.message).toMatch(/^Nothing was written/)
        expect([answer.message, ...answer.errors].join(' ')).toMatch(place)
      }
      expect(await product.stores.patches.list(product.workspaceId as never)).toEqual([])
      expect(product.read('a.txt')).toBe(ABC)
    },
  )

  verifies(
    ['TUL-002 §9 unexpected is generic', 'TUL-002 §9 unexpected is logged'],
    'a store that throws gives a general message, the cause only in the log, and nothing written',
    async () => {
      const product = await embedded({ 'a.txt': ABC })
      const version = await versionOf(product, 'a.txt')
      vi.spyOn(product.stores.patches, 'store').mockRejectedValueOnce(new Error('ink ran out'))
      const answer = await product.call(PATCH, batch('a.txt', version, replace(2, 'b', 'B')))
      expect(answer).toMatchObject({
        success: false,
        errorCode: 'INTERNAL_ERROR',
        kind: 'internal',
      })
      expect(JSON.stringify(answer)).not.toContain('ink')
      const error = expect.objectContaining({ message: 'ink ran out' })
      expect(product.logged).toContainEqual(
        expect.objectContaining({ event: 'Tool.Failed', error }),
      )
      expect(product.read('a.txt')).toBe(ABC)
    },
  )
})

describe('structured logs', () => {
  verifies(
    ['TUL-002 §9 log start', 'TUL-002 §9 log success', 'TUL-002 §7.2 keys in logs'],
    'a batch is logged when it arrives and when it is stored: its id, counts and keys, no content',
    async () => {
      const product = await embedded({ 'a.txt': ABC, 'b.txt': 'secret line\n' })
      const versions = [await versionOf(product, 'a.txt'), await versionOf(product, 'b.txt')]
      const files = [
        batch(
          'a.txt',
          versions[0]!,
          { ...replace(1, 'a', 'A'), changeKey: 'one' },
          replace(3, 'c', 'C'),
        ).files[0],
        {
          ...batch('b.txt', versions[1]!, replace(1, 'secret line', 'new secret')).files[0],
          fileKey: 'b',
        },
      ]
      const answer = await product.call(PATCH, { batchKey: 'caps', files })
      const place = {
        SessionId: product.sessionId,
        ConversationId: answer.conversationId,
        TurnId: answer.turnId,
      }
      expect(fieldsOf(product, 'Tool.WritePatch.Received')).toEqual([
        { ...place, ToolCallId: answer.toolCallId },
      ])
      expect(fieldsOf(product, 'Tool.WritePatch.Stored')).toEqual([
        {
          ...place,
          BatchId: answer.batchId,
          Files: 2,
          Changes: 3,
          BatchKey: 'caps',
          Keys: {
            [answer.files[0].changes[0].changeId]: 'one',
            [answer.files[1].filePatchId]: 'b',
          },
        },
      ])
      expect(JSON.stringify(product.logged)).not.toContain('secret')
    },
  )

  verifies(
    'TUL-002 §9 log error',
    'a refused batch is logged with its reason, the docPaths and the places of the problems, no content',
    async () => {
      const product = await embedded({ 'Src/A.txt': 'secret line\n' })
      const version = await versionOf(product, 'src/a.txt')
      await product.call(
        PATCH,
        batch('Src/A.txt', version, replace(1, 'wrong secret', 'x'), replace(7, 'y', 'z')),
      )
      await product.call(PATCH, batch('Src/A.txt', '00000000', replace(1, 'secret line', 'x')))
      await product.call(PATCH, { files: [{ docPath: 'Src/A.txt', originalSha256: 'xyz' }] })
      const rejected = fieldsOf(product, 'Tool.WritePatch.Rejected')
      const changes = 'files[0].changes'
      expect(rejected).toMatchObject([
        {
          Reason: 'INVALID_ARGUMENT',
          Failures: 2,
          Problems: [`${changes}[0].expectedOriginalLines`, `${changes}[1].endLine`],
        },
        { Reason: 'CONFLICT', Failures: 1, Problems: ['files[0].originalSha256'] },
        { Reason: 'INVALID_ARGUMENT', Failures: 2, Problems: ['files[0].originalSha256', changes] },
      ])
      for (const { DocPath } of rejected) expect(DocPath).toBe('src/a.txt')
      expect(JSON.stringify(product.logged)).not.toContain('secret')
    },
  )
})

describe('a person accepts some', () => {
  verifies(
    [
      'CONTRACT §5 per-change acceptance',
      'CONTRACT §5 refusals told',
      'CONTRACT §4 workspace_get_patch_change fate',
    ],
    'refused changes are left out, the model learns which and why, and each change has its own fate',
    async () => {
      const product = await embedded({ 'a.txt': ABC, 'b.txt': ABC })
      const versions = [await versionOf(product, 'a.txt'), await versionOf(product, 'b.txt')]
      const files = [
        batch('a.txt', versions[0]!, replace(1, 'a', 'A'), remove(3, 'c'), insert(6, 'g')).files[0],
        batch('b.txt', versions[1]!, replace(2, 'b', 'B')).files[0],
      ]
      const { approvalId, toolCallId } = await product.call(PATCH, { files }, { approve: 'ask' })
      const { value } = await product.ask('listApprovals')
      const [first, second, third, fourth] = value[0].changes.map((change: Answer) => change.id)
      const refused = [{ changeId: second, reason: 'c is still used' }, { changeId: fourth }]
      const { envelope, text } = await decide(product, approvalId, { refused })
      expect(product.read('a.txt')).toBe('A\nb\nc\nd\ne\nf\ng\n')
      expect(product.read('b.txt')).toBe(ABC)
      expect(envelope).toMatchObject({ success: true, refusedChanges: refused })
      expect(envelope.message).toBe('Applied 2 changes in 1 file; 2 refused by the person.')
      expect(text).toContain(`refused: a.txt, line 3, ${second} (c is still used)`)
      const told = envelope.files.flatMap((file: Answer) => file.changes)
      expect(told).toMatchObject([
        { changeId: first, status: 'applied' },
        { changeId: second, status: 'refused', reason: 'c is still used' },
        { changeId: third, status: 'applied' },
        { changeId: fourth, status: 'refused' },
      ])
      await vi.waitFor(async () => {
        const fates = []
        for (const id of [
          first,
          second,
          third,
          fourth,
          envelope.files[1].filePatchId,
          envelope.batchId,
        ])
          fates.push((await product.call('workspace_get_patch_change', { id })).fate)
        expect(fates).toEqual(['uploaded', 'refused', 'uploaded', 'refused', 'refused', 'uploaded'])
      }, PATIENCE)
      const asked = await product.ask('getCall', {
        params: { sessionId: product.sessionId, toolCallId },
      })
      expect(asked.value.refusedChanges).toEqual(envelope.refusedChanges)
    },
  )

  test('refused line endings are reported by name', async () => {
    const product = await embedded({ 'a.txt': ABC })
    const { files } = batch('a.txt', await versionOf(product, 'a.txt'), replace(1, 'a', 'A'))
    const args = { files: [{ ...files[0], eol: 'crlf' }] }
    const { approvalId } = await product.call(PATCH, args, { approve: 'ask' })
    const { value } = await product.ask('listApprovals')
    const refused = [{ changeId: value[0].changes[1].id, reason: 'no' }]
    const { envelope, text } = await decide(product, approvalId, { refused })
    expect(product.read('a.txt')).toBe('A\nb\nc\nd\ne\nf\n')
    expect(envelope.refusedChanges).toEqual([{ ...refused[0], place: 'a.txt, line ends' }])
    expect(text).toContain(`refused: a.txt, line ends, ${refused[0]!.changeId} (no)`)
  })

  test('a batch that only sets the final newline says what it did, and when repeated that nothing changes', async () => {
    const product = await embedded({ 'a.txt': 'a' })
    const patch = async () => {
      const originalSha256 = await versionOf(product, 'a.txt')
      const files = [{ docPath: 'a.txt', originalSha256, finalNewline: true }]
      return (await product.call(PATCH, { files })).message
    }
    expect(await patch()).toBe('Changed 1 file as a whole.')
    expect(product.read('a.txt')).toBe('a\n')
    expect(await patch()).toBe('Nothing was written: the files already have this content.')
  })

  test('a denied batch reports the reason, and stays refused', async () => {
    const product = await embedded({ 'a.txt': ABC })
    const args = batch('a.txt', await versionOf(product, 'a.txt'), replace(1, 'a', 'A'))
    const { approvalId } = await product.call(PATCH, args, { approve: 'ask' })
    const body = { decision: 'denied', by: 'Ann', reason: 'not before the release' }
    const { envelope } = await decide(product, approvalId, body)
    expect(envelope).toMatchObject({ success: false, errorCode: 'DENIED', kind: 'denied' })
    expect(envelope.message).toContain('Ann refused this change: not before the release')
    const [stored] = await product.stores.patches.list(product.workspaceId as never)
    expect(stored).toMatchObject({ fate: 'refused' })
    expect(product.read('a.txt')).toBe(ABC)
  })

  test('refusing an unknown change decides nothing; refusing every change writes nothing', async () => {
    const product = await embedded({ 'a.txt': ABC })
    const args = batch('a.txt', await versionOf(product, 'a.txt'), replace(1, 'a', 'A'))
    const { approvalId } = await product.call(PATCH, args, { approve: 'ask' })
    const params = { approvalId }
    const wrong = await product.ask('decide', {
      params,
      body: { decision: 'approved', refused: [{ changeId: 'chg_0' }] },
    })
    expect(wrong).toMatchObject({ status: 404, value: { errorCode: 'NOT_FOUND' } })
    const { value } = await product.ask('listApprovals')
    const refused = [{ changeId: value[0].changes[0].id, reason: 'no' }]
    const { envelope } = await decide(product, approvalId, { refused })
    expect(envelope.message).toBe('Nothing was written: every change was refused.')
    expect(product.read('a.txt')).toBe(ABC)
  })
})

function batch(docPath: string, originalSha256: string, ...changes: object[]) {
  return { files: [{ docPath, originalSha256, changes }] }
}

function replace(line: number, old: string, fresh: string) {
  const range = { startLine: line, endLine: line, expectedOriginalLines: [old] }
  return { operation: 'replace', ...range, newLines: [fresh] }
}

test('searches in many files are offered as one whole patch, or not at all', async () => {
  const paths = Array.from({ length: 11 }, (_, i) => `f${i}.txt`)
  const product = await embedded(Object.fromEntries(paths.map(path => [path, ABC])))
  const asked = (some: readonly string[]) =>
    product.call(PATCH, {
      files: some.map(docPath => ({ docPath, changes: [{ search: 'b', replace: 'B' }] })),
    })
  const { corrected } = await asked(paths.slice(0, 3))
  expect(corrected.files.map(({ docPath }: Answer) => docPath)).toEqual(paths.slice(0, 3))
  expect(await asked(paths)).not.toHaveProperty('corrected')
})

function remove(line: number, old: string) {
  return { operation: 'delete', startLine: line, endLine: line, expectedOriginalLines: [old] }
}

function insert(afterLine: number, ...newLines: string[]) {
  return { operation: 'insert', afterLine, newLines }
}

async function versionOf(product: Embedded, path: string): Promise<string> {
  return (await product.call('workspace_read_file', { path })).file.version
}

async function decide(product: Embedded, approvalId: string, body: object = {}) {
  const { value } = await product.ask('decide', {
    params: { approvalId },
    body: { decision: 'approved', by: 'Ann', ...body },
  })
  return value.outcome.outcome as { envelope: Answer; text: string }
}

function fieldsOf(product: Embedded, name: string): Record<string, unknown>[] {
  return product.logged
    .filter(({ event }) => event === name)
    .map(({ event: _, time: __, level: ___, ...fields }) => fields)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
