import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rule, rules } from './faults.ts'
import { generatedFiles } from './generated.ts'
import { ringFaults } from './rooms.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'filewright-architecture-'))
  for (const folder of ['packages', 'apps', 'docs', 'test']) {
    cpSync(join(root, folder), join(copy, folder), {
      recursive: true,
      filter: path => !['node_modules', 'dist'].includes(basename(path)),
    })
  }
})

afterAll(() => rmSync(copy, { recursive: true, force: true, maxRetries: 20 }))

test('a forbidden import is reported', () => {
  inject(
    'every import is an arrow of the package table',
    {
      'packages/loop/src/injected.ts':
        "import { catalog } from '@filewright/tools'\nexport { catalog }\n",
    },
    [
      'packages/loop/src/injected.ts imports @filewright/tools: loop may import protocol (ARCHITECTURE §2).',
    ],
  )
})

test('a relative path into another package is reported', () => {
  inject(
    'every import is an arrow of the package table',
    { 'packages/client/src/injected.ts': "export * from '../../server/src/index.ts'\n" },
    [
      'packages/client/src/injected.ts imports ../../server/src/index.ts: client may import protocol, documents, engine, tools (ARCHITECTURE §2).',
    ],
  )
})

test('an app in the host is reported', () => {
  inject(
    'every import is an arrow of the package table',
    { 'packages/host/src/injected.ts': "export * from '../../../apps/cli/src/main.ts'\n" },
    [
      'packages/host/src/injected.ts imports ../../../apps/cli/src/main.ts: host may import protocol, documents, tools, engine, loop, server, client (ARCHITECTURE §2).',
    ],
  )
})

test('an app in a command is reported, and in the entry of the bin it is a face', () => {
  const imported = "export * from '../../web/src/app.tsx'\n"
  const entry = 'apps/cli/src/main.ts'
  inject(
    'every import is an arrow of the package table',
    {
      'apps/cli/src/injected.ts': imported,
      [entry]: readFileSync(join(copy, entry), 'utf8') + imported,
    },
    [
      'apps/cli/src/injected.ts imports ../../web/src/app.tsx: an app imports packages, and only the entry of the bin another app (ARCHITECTURE §2).',
    ],
  )
})

test('an app that depends on an app is reported', () => {
  inject(
    'every import is an arrow of the package table',
    {
      'apps/injected/package.json': JSON.stringify({
        name: '@filewright/injected',
        devDependencies: { '@filewright/web': '0.1.0' },
      }),
    },
    [
      'apps/injected/package.json depends on @filewright/web: an app imports packages, and only the entry of the bin another app (ARCHITECTURE §2).',
    ],
  )
})

const ROOMS = 'every import between rooms is an arrow of the table of rooms'

test('an import against the arrows of the rooms is reported', () => {
  inject(
    ROOMS,
    { 'packages/client/src/apply/injected.ts': "export * from '../publish/publisher.ts'\n" },
    [
      'packages/client/src/apply/injected.ts imports ../publish/publisher.ts: apply may import workspace (ARCHITECTURE §3).',
    ],
  )
})

test('a port that imports its implementation is reported', () => {
  inject(
    ROOMS,
    {
      'packages/server/src/log/injected.ts':
        "export type { Database } from '../embedded/database/database.ts'\n",
    },
    [
      'packages/server/src/log/injected.ts imports ../embedded/database/database.ts: log may import store (ARCHITECTURE §3).',
    ],
  )
})

test('a room that imports the code that assembles the rooms is reported', () => {
  inject(ROOMS, { 'packages/loop/src/port/injected.ts': "export * from '../index.ts'\n" }, [
    'packages/loop/src/port/injected.ts imports ../index.ts: port may import no other room (ARCHITECTURE §3).',
  ])
})

test('a room that is not in the table is reported', () => {
  inject(ROOMS, { 'packages/server/src/attic/injected.ts': 'export {}\n' }, [
    'packages/server/src/attic/injected.ts is in no room of packages/server/src: add attic to test/architecture/rooms.ts.',
  ])
})

test('a folder with too many modules is reported', () => {
  const many = Array.from({ length: 25 }, (_, index) => `packages/engine/src/hall/m${index}.ts`)
  inject(ROOMS, Object.fromEntries(many.map(path => [path, 'export {}\n'])), [
    'packages/engine/src/hall holds 25 modules: give it rooms, named for the steps of its work (ARCHITECTURE §3).',
  ])
})

test('rooms that need each other are reported', () => {
  expect(ringFaults({ house: { hall: ['attic'], attic: ['cellar'], cellar: ['hall'] } })).toEqual(
    ['hall', 'attic', 'cellar'].map(
      room => `house/${room} needs itself by way of other rooms: cut the ring.`,
    ),
  )
})

test('the disk in a tool is reported', () => {
  inject(
    'disk, processes, network, environment and clock stay in their places',
    { 'packages/tools/src/read_file/injected.ts': "export { readFileSync } from 'node:fs'\n" },
    [
      'packages/tools/src/read_file/injected.ts imports node:fs: the disk is reached only in client/workspace, client/embedded, server/embedded, server/http/static, host/settings and host/owner (ARCHITECTURE §2).',
    ],
  )
})

test('a tool folder that is not in the catalog is reported', () => {
  inject(
    'every tool folder is in the catalog, and nothing else',
    { 'packages/tools/src/injected_tool/tool.ts': 'export {}\n' },
    [
      'packages/tools/src/injected_tool is not in packages/tools/src/tools.ts: a tool is one folder and one line (ARCHITECTURE §5).',
    ],
  )
})

test('a line of the catalog without its folder is reported', () => {
  const list = 'packages/tools/src/tools.ts'
  const line = "export { default as injected_tool } from './injected_tool/index.ts'\n"
  inject(
    'every tool folder is in the catalog, and nothing else',
    { [list]: readFileSync(join(copy, list), 'utf8') + line },
    ['packages/tools/src/tools.ts lists injected_tool, which has no folder with a tool.ts.'],
  )
})

test.each([
  "tool === 'read_file'",
  "'read_file' !== tool",
  "['list_files', tool].includes('read_file')",
  '({ read_file: 1 })[tool]',
])('a decision by the name of a tool is reported: %s', decision => {
  const faults = () =>
    rules['nothing but a tool itself decides by its name'](copy).filter(fault =>
      fault.startsWith('packages/server/src/injected.ts decides'),
    )
  const path = join(copy, 'packages/server/src/injected.ts')
  writeFileSync(path, `export const is = (tool) => ${decision}\n`)
  expect(faults()).toHaveLength(1)
  writeFileSync(path, `// ${decision}\nexport const asked = { tool: 'read_file' }\n`)
  expect(faults()).toEqual([])
  rmSync(path)
})

const FORMATS = 'nothing but a format itself decides by its id'

test.each([
  ["(file) => file.format === 'text'", "format === 'text'"],
  ["(id) => 'xlsx' !== id", "'xlsx' !=="],
  ["(id) => ['csv', id].includes('xlsx')", ".includes('xlsx'"],
  ["(f) => { switch (f.format) { case 'text': return 1 } }", "switch (f.format) { case 'text'"],
  ['() => ({ xlsx: 1 })', '{ xlsx:'],
])('a decision by the id of a format is reported: %s', (decision, found) => {
  const path = 'packages/client/src/injected.ts'
  inject(FORMATS, { [path]: `export const decide = ${decision}\n` }, [
    `${path} decides by a format's id (${found}): give the format a fact and ask that (ARCHITECTURE §5).`,
  ])
})

test('a word that is also the name of a format is no decision by it', () => {
  inject(
    FORMATS,
    { 'packages/client/src/injected.ts': "export const is = part => part.type === 'text'\n" },
    [],
  )
})

test('an unlisted format is reported', () => {
  inject(FORMATS, { 'packages/documents/src/formats/toy/facts.ts': 'export {}\n' }, [
    'packages/documents/src/formats/toy is not in packages/documents/src/formats/index.ts: a format is one folder and one line (ARCHITECTURE §5).',
  ])
})

const PROVIDERS = 'nothing but a provider itself decides by its id'

test('a decision by the id of a provider is reported', () => {
  const decides = (decision: string) =>
    `packages/loop/src/models/injected.ts decides by a provider's id (${decision}): give the provider a member and ask that (ARCHITECTURE §3).`
  inject(
    PROVIDERS,
    {
      'packages/loop/src/models/injected.ts':
        "export const keys = { openai: 'KEY' }\nexport const isLocal = id => id === 'ollama'\n",
    },
    [decides('{ openai:'), decides("=== 'ollama'")],
  )
})

test('an unlisted provider, or one that imports another, is reported', () => {
  inject(
    PROVIDERS,
    {
      'packages/loop/src/models/openai/injected.ts': "export * from '../google/model.ts'\n",
      'packages/loop/src/models/injected/index.ts': 'export default {}\n',
    },
    [
      'packages/loop/src/models/injected has no line in providers.ts: every folder of models/ is a provider.',
      'packages/loop/src/models/openai/injected.ts imports ../google/model.ts: a provider imports port, wire and dialects alone (ARCHITECTURE §3).',
    ],
  )
  rmSync(join(copy, 'packages/loop/src/models/injected'), { recursive: true })
})

test('the environment outside a config.ts is reported', () => {
  inject(
    'disk, processes, network, environment and clock stay in their places',
    { 'packages/server/src/injected.ts': 'export const home = process.env.HOME\n' },
    [
      'packages/server/src/injected.ts uses process.env: the environment is read only in a config.ts (ARCHITECTURE §2).',
    ],
  )
})

test('a time limit that garbage collection may take away is reported', () => {
  inject(
    'disk, processes, network, environment and clock stay in their places',
    {
      'packages/server/src/injected.ts':
        'export const within = (signal: AbortSignal) =>\n  AbortSignal.any([signal, AbortSignal.timeout(9)])\n',
    },
    [
      'packages/server/src/injected.ts uses AbortSignal.any([signal, AbortSignal.timeout: garbage collection may take that time limit away; signalWithin holds it (ARCHITECTURE §2).',
    ],
  )
})

test('an import cycle is reported', () => {
  inject(
    'no module is in an import cycle',
    {
      'packages/protocol/src/injected-a.ts':
        "import { b } from './injected-b.ts'\nexport const a = () => b\n",
      'packages/protocol/src/injected-b.ts':
        "import { a } from './injected-a.ts'\nexport const b = () => a\n",
    },
    [
      'packages/protocol/src/injected-a.ts is in an import cycle: packages/protocol/src/injected-a.ts → packages/protocol/src/injected-b.ts → packages/protocol/src/injected-a.ts (no import cycles).',
    ],
  )
})

const SIZES = 'no function is too long to be read at once'
const lines = (count: number) => '  step()\n'.repeat(count)

test('a function that is too long is reported, wherever it is', () => {
  const path = 'packages/engine/src/injected.ts'
  const long = `export function long() {\n${lines(59)}}\n`
  const inner = `export function outer() {\n  const inner = () => {\n${lines(59)}  }\n  return { inner }\n}\n`
  inject(SIZES, { [path]: `export function short() {\n${lines(58)}}\n` }, [])
  inject(SIZES, { [path]: long + inner }, [
    `${path}:1 long has 61 lines: a function has at most 60 (STYLE, Sizes).`,
    `${path}:63 inner has 61 lines: a function has at most 60 (STYLE, Sizes).`,
  ])
})

test.each(['{ made }', '{ made: wrap(() => step()) }', 'ok({ made: () => step() })', 'made'])(
  'a factory of %s may be longer, up to its own bound',
  made => {
    const path = 'packages/engine/src/injected.ts'
    const factory = (count: number) =>
      `export function make() {\n${lines(count)}  return ${made}\n  function made() {}\n}\n`
    inject(SIZES, { [path]: factory(196) }, [])
    inject(SIZES, { [path]: factory(197) }, [
      `${path}:1 make has 201 lines: a module factory has at most 200 (STYLE, Sizes).`,
    ])
  },
)

test('a type whose name another type has is reported', () => {
  inject(
    'one name means one type',
    {
      'packages/engine/src/injected.ts': 'export interface Injected {}\ninterface Own {}\n',
      'packages/loop/src/port/injected.ts': 'export type Injected = 1\ntype Own = 1\n',
      'apps/web/src/injected.ts': "export type { Injected } from '@filewright/engine'\n",
    },
    [
      'Injected is declared in packages/engine/src/injected.ts and packages/loop/src/port/injected.ts: one name means one type (STYLE, Names).',
    ],
  )
})

test('a look at values past those of the book is reported', () => {
  const looks = 'packages/documents/src/formats/xlsx/operations/injected.ts'
  const view = 'packages/documents/src/formats/xlsx/view/injected.ts'
  const ask = 'ask book.values, which follow every edit (ARCHITECTURE §3).'
  inject(
    'what a cell of a workbook shows is asked of its values',
    {
      [looks]:
        'export const shown = (book: Book) => book.values.results.valueAt(0, 1) ?? book.cell.stored\n',
      [view]: "import { contentOf } from '../cell/cells.ts'\nexport const shown = contentOf\n",
    },
    [
      `${looks} looks at what was computed: ${ask}`,
      `${looks} looks at what the file stores: ${ask}`,
      `${view} looks at what the file stores: ${ask}`,
    ],
  )
})

test('tokens of formulas walked beside the units are reported', () => {
  const own = 'packages/documents/src/formats/xlsx/operations/injected.ts'
  const other = 'packages/documents/src/formats/xlsx/table/injected.ts'
  const take = 'walks the tokens of formulas: take the units of places/units.ts (ARCHITECTURE §3).'
  inject(
    'formulas are read for their references by one walk',
    {
      [own]:
        "import { type Token, tokenize } from '@borgar/fx/xlsx'\nexport const own = tokenize\n",
      [other]:
        "import { parse, stringifyTokens } from '@borgar/fx/xlsx'\nexport const other = [parse, stringifyTokens]\n",
    },
    [`${own} ${take}`, `${other} ${take}`],
  )
})

test('a stale generated file is reported', () => {
  const fresh = generatedFiles(copy)
  for (const [path, content] of Object.entries(fresh)) writeFileSync(join(copy, path), content)
  const stale = { 'docs/tools.md': `${fresh['docs/tools.md']}by hand\n` }
  inject('generated files are what the code says', stale, [
    'docs/tools.md is stale: run node scripts/generate.mjs, as it derives from the code.',
  ])
})

/** Adds the files to the copy, expects exactly these sentences, and removes the files. */
function inject(rule: Rule, files: Record<string, string>, sentences: string[]) {
  const before = rules[rule](copy)
  const kept = Object.keys(files).map(path => [path, read(path)] as const)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
  const after = rules[rule](copy)
  for (const [path, text] of kept) {
    if (text === undefined) rmSync(join(copy, path))
    else writeFileSync(join(copy, path), text)
  }
  expect(after.filter(fault => !before.includes(fault))).toEqual(sentences)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(copy, path), 'utf8')
  } catch {
    return undefined
  }
}
