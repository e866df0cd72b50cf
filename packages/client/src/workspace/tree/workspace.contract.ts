import { createHash } from 'node:crypto'
import type { RelativePath } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import type { Entry, ListOptions, TreeFileEntry, Workspace } from './workspace.ts'

/** A workspace to try, and what another program does to its files. */
export interface WorkspaceUnderTest {
  readonly workspace: Workspace
  write(path: string, content: string | Uint8Array): void | Promise<void>
  link(path: string, target: string): void
  /** Files and folders named `A` and `a` are the same. */
  readonly ignoresCase: boolean
  /** What there cannot be, and why: a test of it is skipped. */
  readonly cannotHave?: Partial<Readonly<Record<'links' | 'strange names' | 'no hash', string>>>
}

/** Every workspace answers alike, wherever its bytes lie. */
export function describeWorkspace(name: string, open: () => Promise<WorkspaceUnderTest>): void {
  describe(name, () => {
    verifies(
      ['CONTRACT §2 any spelling looked up', 'CONTRACT §2 result has docPath and path'],
      'any spelling finds the file and learns the one on disk',
      async () => {
        const { workspace } = await openWith({ 'Src/App/Main.TS': 'text' })
        for (const spelling of [
          'Src/App/Main.TS',
          'src/app/main.ts',
          'SRC\\APP\\MAIN.ts',
          './src//app/./main.ts',
        ])
          expect(await workspace.locate(spelling)).toMatchObject({
            ok: true,
            value: { docPath: 'src/app/main.ts', path: 'Src/App/Main.TS', sizeBytes: 4 },
          })
      },
    )

    verifies(
      'CONTRACT §2 docPath folds case',
      'composed and decomposed accents are one name',
      async () => {
        const { workspace } = await openWith({ 'Bu\u0308cher/U\u0308ber.txt': 'x' })
        expect(await workspace.locate('b\u00fccher/\u00fcBER.txt')).toMatchObject({
          ok: true,
          value: { docPath: 'b\u00fccher/\u00fcber.txt' },
        })
      },
    )

    verifies(
      'CONTRACT §2 sha256 of exact bytes',
      'a read gives the exact bytes and their sha256',
      async () => {
        const bytes = Uint8Array.from([0, 0xff, 0x0d, 0x0a, 0xef, 0xbb, 0xbf])
        const { workspace } = await openWith({ 'a.bin': bytes })
        const read = await workspace.read('A.BIN')
        expect(read).toMatchObject({ ok: true, value: { sizeBytes: 7, sha256: sha256Of(bytes) } })
        expect(read.ok && Buffer.from(read.value.bytes)).toEqual(Buffer.from(bytes))
        expect(await workspace.hash('a.bin')).toMatchObject({
          ok: true,
          value: { sha256: sha256Of(bytes) },
        })
      },
    )

    test('a part of a file is read by its range, and has no hash', async () => {
      const { workspace } = await openWith({ 'a.txt': '0123456789' })
      const read = await workspace.read('a.txt', { start: 3, end: 6 })
      expect(read.ok && Buffer.from(read.value.bytes).toString()).toBe('345')
      expect(read).toMatchObject({ ok: true, value: { sha256: null, sizeBytes: 10 } })
      const beyond = await workspace.read('a.txt', { start: 8, end: 100 })
      expect(beyond.ok && Buffer.from(beyond.value.bytes).toString()).toBe('89')
    })

    test('an open file is read in pieces', async () => {
      const { workspace } = await openWith({ 'a.txt': 'x'.repeat(3_000_000) })
      const opened = await workspace.open('a.txt')
      if (!opened.ok) throw new Error(opened.failure.message)
      const { file } = opened.value
      expect((await file.read(2_999_990, 100)).length).toBe(10)
      expect((await file.read(0, 2_000_000)).length).toBe(2_000_000)
      file.close()
    })

    test('a missing file is NOT_FOUND, and so is a folder', async () => {
      const { workspace } = await openWith({ 'a/b.txt': 'x' })
      for (const path of ['a/c.txt', 'nothing/b.txt', 'a', 'a/b.txt/c'])
        expect(await workspace.read(path)).toMatchObject({
          ok: false,
          failure: { code: 'NOT_FOUND', kind: 'missing' },
        })
    })

    verifies(
      'CONTRACT §2 create keeps folder spelling',
      'a new file goes into the folder as it is spelled on disk',
      async () => {
        const { workspace } = await openWith({ 'Src/Deep/a.txt': 'x' })
        const placeFor = async (path: string) => workspace.placeFor(path as RelativePath)
        expect(await placeFor('SRC/deep/New.txt')).toMatchObject({ value: 'Src/Deep/New.txt' })
        expect(await placeFor('src/Other/New.txt')).toMatchObject({ value: 'Src/Other/New.txt' })
      },
    )

    verifies(
      ['CONTRACT §2 folding files both listed', 'CONTRACT §2 folding files both refused'],
      'two files that fold to one docPath are both listed and both refused',
      async context => {
        const under = await open()
        if (under.ignoresCase) return context.skip('this disk cannot hold two such files')
        await under.write('Read.me', 'one')
        await under.write('READ.ME', 'two')
        await under.write('lib/x.txt', 'three')
        await under.write('Lib/X.txt', 'four')
        await under.write('Lib/alone.txt', 'five')
        const { workspace } = under
        for (const path of ['Read.me', 'READ.ME', 'lib/x.txt', 'Lib/X.txt']) {
          const read = await workspace.read(path)
          expect(read).toMatchObject({ failure: { code: 'DUPLICATE_PATH', kind: 'conflict' } })
        }
        expect(await workspace.read('read.me')).toMatchObject({
          failure: { details: { paths: ['READ.ME', 'Read.me'] } },
        })
        const files = await list(workspace)
        expect(files.map(({ path, collidesWith }) => [path, collidesWith])).toEqual([
          ['Lib/X.txt', ['lib/x.txt']],
          ['Lib/alone.txt', undefined],
          ['READ.ME', ['Read.me']],
          ['Read.me', ['READ.ME']],
          ['lib/x.txt', ['Lib/X.txt']],
        ])
        expect(await workspace.read('lib/alone.txt')).toMatchObject({ ok: true })
      },
    )

    verifies(
      [
        'CONTRACT §2 honours gitignore',
        'CONTRACT §2 built-in ignore list',
        'CONTRACT §2 honours filewrightignore',
        'CONTRACT §2 ignored nowhere listed',
        'CONTRACT §2 ignored by exact name',
      ],
      'ignored paths are left out of the list and read by their exact name',
      async () => {
        const { workspace } = await openWith({
          '.gitignore': '*.log\n/only-top.txt\nsecret/\n!keep.log\n',
          '.filewrightignore': 'drafts/\n!dist/\n',
          'a.txt': '',
          'a.log': '',
          'keep.log': '',
          'only-top.txt': '',
          'sub/only-top.txt': '',
          'sub/.gitignore': '!b.log\n*.tmp\n',
          'sub/b.log': '',
          'sub/c.tmp': '',
          'sub/deeper/d.tmp': '',
          'secret/e.txt': '',
          'drafts/f.txt': '',
          'dist/g.js': '',
          'node_modules/m/h.js': 'found',
          '.git/config': '',
          'Bin/i.dll': '',
          '~$open.docx': '',
        })
        expect((await list(workspace)).map(file => file.path)).toEqual([
          '.filewrightignore',
          '.gitignore',
          'a.txt',
          'dist/g.js',
          'keep.log',
          'sub/.gitignore',
          'sub/b.log',
          'sub/only-top.txt',
        ])
        expect(await workspace.isIgnored('node_modules/m/h.js')).toBe(true)
        expect(await workspace.isIgnored('sub/deeper/new.tmp')).toBe(true)
        expect(await workspace.isIgnored('sub/b.log')).toBe(false)
        const read = await workspace.read('Node_Modules/m/H.js')
        expect(read.ok && Buffer.from(read.value.bytes).toString()).toBe('found')
      },
    )

    test('a folder that a deeper rule includes again is listed with its content', async () => {
      const { workspace } = await openWith({
        '.gitignore': 'lib/\ncache/\n',
        '.filewrightignore': '!cache/\n',
        'lib/a.js': '',
        'cache/[x]/b.js': '',
        'packages/one/.gitignore': '!lib/\n*.tmp\n',
        'packages/one/lib/c.js': '',
        'packages/one/lib/deep/d.js': '',
        'packages/one/lib/lib/e.tmp': '',
        'packages/two/lib/f.js': '',
      })
      expect((await list(workspace)).map(file => file.path)).toEqual([
        '.filewrightignore',
        '.gitignore',
        'cache/[x]/b.js',
        'packages/one/.gitignore',
        'packages/one/lib/c.js',
        'packages/one/lib/deep/d.js',
      ])
      expect(await workspace.isIgnored('packages/one/lib/new.js')).toBe(false)
      expect(await workspace.isIgnored('packages/two/lib/new.js')).toBe(true)
    })

    test('rules that include every folder do not cover version control and build output', async () => {
      const { workspace } = await openWith({
        '.gitignore': '*\n!*/\n!*.md\n!*.docx\n!.git\n!vendor/dist/\n',
        'a.md': '',
        'a.js': '',
        'sub/b.md': '',
        '.git/config.md': '',
        'node_modules/m/c.md': '',
        'vendor/dist/d.md': '',
        '~$open.docx': '',
      })
      expect((await list(workspace)).map(file => file.path)).toEqual([
        'a.md',
        'sub/b.md',
        'vendor/dist/d.md',
      ])
    })

    verifies(
      'CONTRACT §2 workshop folds ignored folders',
      'a list that folds gives an ignored folder as one entry with a count',
      async () => {
        const { workspace } = await openWith({
          '.gitignore': '*.log\n',
          'node_modules/a/1.js': '',
          'node_modules/a/2.js': '',
          'node_modules/b.js': '',
          'x.log': '',
        })
        const entries = await listAll(workspace, { ignored: 'fold' })
        expect(entries).toMatchObject([
          { kind: 'file', path: '.gitignore' },
          { kind: 'ignored-folder', path: 'node_modules', fileCount: 3, isMore: false },
          { kind: 'file', path: 'x.log', isIgnored: true },
        ])
      },
    )

    verifies(
      [
        'CONTRACT §2 key files listed',
        'CONTRACT §2 key files not read',
        'CONTRACT §2 key files exact',
        'CONTRACT §2 key files allowed',
      ],
      'a key file is listed, and read only when it is allowed',
      async () => {
        const keys = ['.env', '.env.local', 'certs/Server.PEM', 'id_ed25519', 'x.key', '.npmrc']
        const others = ['environment.env.md', 'keyboard.txt', '.env.example', 'id_rsa.pub']
        const { workspace } = await openWith(
          Object.fromEntries([...keys, ...others].map(path => [path, 'value'])),
        )
        const files = await list(workspace)
        expect(
          files
            .filter(file => file.isPrivate)
            .map(file => file.path)
            .sort(),
        ).toEqual(keys.sort())
        for (const path of keys) {
          expect(await workspace.read(path)).toMatchObject({
            failure: { code: 'PRIVATE_FILE', kind: 'denied' },
          })
          expect(await workspace.open(path)).toMatchObject({ failure: { code: 'PRIVATE_FILE' } })
          expect(await workspace.read(path, { allowPrivate: true })).toMatchObject({ ok: true })
        }
        for (const path of others) expect(await workspace.read(path)).toMatchObject({ ok: true })
      },
    )

    test('a command that a refusal proposes runs nothing from the name of a file', async () => {
      const name = "$(id)`id` 'x'.pem"
      const { workspace } = await openWith({ [name]: 'value' })
      expect(await workspace.read(name)).toMatchObject({
        failure: {
          code: 'PRIVATE_FILE',
          message: expect.stringContaining(`--path '$(id)\`id\` '\\''x'\\''.pem'`),
        },
      })
    })

    test('a link to a key file is as private as the key file', async context => {
      const under = await openWith({ '.env': 'SECRET=1' })
      if (under.cannotHave?.links) return context.skip(under.cannotHave.links)
      under.link('notes.txt', '.env')
      expect(await under.workspace.read('notes.txt')).toMatchObject({
        failure: { code: 'PRIVATE_FILE' },
      })
    })

    verifies(
      ['CONTRACT §8 symlinked ancestors refused', 'CONTRACT §8 only through the root'],
      'a path through a linked folder, or a link that leads out, is refused',
      async context => {
        const under = await openWith({ 'real/a.txt': 'inside' })
        if (under.cannotHave?.links) return context.skip(under.cannotHave.links)
        under.link('linked', 'real')
        under.link('out.txt', '../outside.txt')
        under.link('far.txt', '/etc/hostname')
        under.link('round.txt', 'round.txt')
        under.link('in.txt', 'real/a.txt')
        under.link('via.txt', 'linked/a.txt')
        const { workspace } = under
        for (const path of ['linked/a.txt', 'out.txt', 'far.txt', 'round.txt', 'via.txt'])
          expect(await workspace.read(path), path).toMatchObject({
            failure: { code: 'InvalidPath', kind: 'invalid' },
          })
        expect(await workspace.placeFor('linked/New.txt' as RelativePath)).toMatchObject({
          failure: { code: 'InvalidPath', details: { direct: 'real/New.txt' } },
        })
        expect(await workspace.read('linked/a.txt')).toMatchObject({
          failure: { message: expect.stringMatching(/Use "real\/a\.txt"\.$/) },
        })
        expect(await workspace.read('in.txt')).toMatchObject({
          value: { path: 'in.txt', realPath: 'real/a.txt', sha256: sha256Of('inside') },
        })
        const listed = await listAll(workspace)
        expect(listed.filter(each => each.kind === 'file')).toMatchObject([
          { path: 'in.txt', linkTo: 'real/a.txt' },
          { path: 'real/a.txt' },
        ])
        expect(listed.filter(each => each.kind === 'unusable').map(each => each.path)).toEqual([
          'far.txt',
          'linked',
          'out.txt',
          'round.txt',
          'via.txt',
        ])
      },
    )

    verifies(
      'CONTRACT §2 version null in listings',
      'a listed file that was never hashed has no hash',
      async context => {
        const { workspace, cannotHave } = await openWith({ 'a.txt': 'x' })
        if (cannotHave?.['no hash']) return context.skip(cannotHave['no hash'])
        expect(await list(workspace)).toMatchObject([{ sha256: null }])
      },
    )

    test('names reserved for files being written are not listed and cannot be used', async () => {
      const under = await openWith({ 'a.txt': '' })
      await under.write('.filewright~0123456789abcdef-0.old', 'kept')
      expect((await list(under.workspace)).map(file => file.path)).toEqual(['a.txt'])
      expect(await under.workspace.read('.filewright~0123456789abcdef-0.old')).toMatchObject({
        failure: { code: 'InvalidPath' },
      })
      expect(await under.workspace.placeFor('.FileWright~x' as RelativePath)).toMatchObject({
        failure: { code: 'InvalidPath' },
      })
    })

    test('names that no docPath can spell are shown as unusable', async context => {
      const under = await open()
      const reason = under.cannotHave?.['strange names']
      if (reason) return context.skip(reason)
      for (const name of ['aux.c', 'trailing.', 'back\\slash.txt']) await under.write(name, '')
      expect(await listAll(under.workspace)).toMatchObject([
        { kind: 'unusable', path: 'aux.c' },
        { kind: 'unusable', path: 'back\\slash.txt' },
        { kind: 'unusable', path: 'trailing.' },
      ])
    })

    test('a long name of many words is checked quickly', async () => {
      const words = `${'how-to_'.repeat(20)}list (1).txt`
      const under = await openWith({ [words]: '', [`${'-'.repeat(80)}é.txt`]: '' })
      expect(await list(under.workspace)).toHaveLength(2)
    })

    test('a new file is found at once, a removed one is not', async () => {
      const under = await openWith({ 'a/b.txt': '1' })
      expect(await under.workspace.read('a/c.txt')).toMatchObject({ ok: false })
      await under.write('a/C.txt', '2')
      expect(await under.workspace.read('a/c.txt')).toMatchObject({ ok: true })
    })

    async function openWith(
      files: Record<string, string | Uint8Array>,
    ): Promise<WorkspaceUnderTest> {
      const under = await open()
      for (const [path, content] of Object.entries(files)) await under.write(path, content)
      return under
    }
  })
}

/** In both ways, which agree, also when folders are known from before. */
export async function listAll(workspace: Workspace, options?: ListOptions): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of workspace.list(options)) entries.push(entry)
  for (const _ of ['read', 'kept']) {
    const named = await listByNames(workspace, options)
    if (named) expect(named.sort(byPath)).toEqual(entries.toSorted(byPath))
    else expect(entries.some(entry => entry.kind === 'file' && entry.collidesWith)).toBe(true)
  }
  return entries
}

async function listByNames(workspace: Workspace, options?: ListOptions) {
  const entries: Entry[] = []
  for await (const batch of workspace.listNames(options)) {
    if (!batch) return undefined
    entries.push(...batch)
  }
  const isBare = (entry: Entry) => entry.kind === 'file' && entry.linkTo === undefined
  const bare = entries.flatMap(entry => (isBare(entry) ? (entry as TreeFileEntry).path : []))
  const looked = await workspace.look(bare)
  return entries.map(entry =>
    isBare(entry) ? { ...entry, ...looked.get((entry as TreeFileEntry).path) } : entry,
  )
}

function byPath(a: Entry, b: Entry): number {
  const [one, other] = [a, b].map(entry => ('path' in entry ? entry.path : ''))
  return one! < other! ? -1 : 1
}

async function list(workspace: Workspace, options?: ListOptions): Promise<TreeFileEntry[]> {
  const entries = await listAll(workspace, options)
  return entries.filter(entry => entry.kind === 'file')
}

function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
