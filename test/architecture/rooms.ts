import { posix } from 'node:path'
import type { Source } from './sources.ts'

type House = Readonly<Record<string, readonly string[]>>

/**
 * ARCHITECTURE §3: a package of more than about twenty modules has rooms, and a room imports only the rooms named here.
 * Modules next to the rooms assemble them: they may import every room, and no room imports them.
 */
const houses: Readonly<Record<string, House>> = {
  'packages/protocol/src': {
    words: [],
    change: ['words'],
    log: ['words'],
    call: ['words', 'change', 'log'],
    draft: ['words', 'change', 'call'],
    wire: ['words', 'change', 'log', 'call'],
  },
  'packages/documents/src/formats/text': {
    decode: [],
    diff: ['decode'],
    write: ['decode'],
    patch: ['decode', 'diff', 'write'],
    edit: ['decode', 'diff', 'write', 'patch'],
    view: ['decode', 'patch'],
  },
  'packages/documents/src/formats/xlsx': {
    looks: [],
    cell: ['looks'],
    places: ['cell'],
    declared: ['cell'],
    book: ['cell', 'looks', 'places'],
    parts: ['cell', 'book'],
    table: ['cell', 'places', 'book', 'parts'],
    formula: ['cell', 'places', 'book', 'parts', 'table'],
    recompute: ['cell', 'places', 'declared', 'book', 'parts', 'table', 'formula'],
    conditional: ['looks', 'cell', 'places', 'book'],
    objects: ['cell', 'places', 'book', 'parts', 'table', 'formula'],
    view: [
      ...['declared', 'looks', 'cell', 'book', 'parts', 'table', 'formula'],
      ...['conditional', 'objects'],
    ],
    write: ['cell', 'places', 'book', 'parts', 'table', 'formula'],
    shift: ['cell', 'places', 'book', 'parts', 'formula'],
    operations: [
      ...[
        'declared',
        'looks',
        'cell',
        'places',
        'book',
        'parts',
        'table',
        'formula',
        'conditional',
      ],
      ...['objects', 'view', 'write', 'shift'],
    ],
    rebase: [
      ...[
        'declared',
        'cell',
        'places',
        'book',
        'parts',
        'formula',
        'objects',
        'view',
        'operations',
      ],
    ],
  },
  'packages/documents/src/formats/docx': {
    parts: [],
    declared: [],
    story: ['parts'],
    view: ['declared', 'parts', 'story'],
    edit: ['parts', 'story'],
    write: ['parts'],
    operations: ['declared', 'parts', 'story', 'view', 'edit', 'write'],
    rebase: ['parts', 'story', 'view', 'edit'],
  },
  'packages/documents/src/formats/pptx': {
    parts: [],
    declared: [],
    slide: ['parts'],
    view: ['declared', 'parts', 'slide'],
    edit: ['parts', 'slide'],
    write: ['parts', 'slide'],
    operations: ['declared', 'parts', 'slide', 'view', 'edit', 'write'],
    rebase: ['slide'],
    testing: [],
  },
  'packages/documents/src/formats/pdf': {
    library: [],
    page: ['library'],
    tables: ['page', 'library'],
    view: ['library', 'page', 'tables'],
    testing: [],
  },
  'packages/loop/src': {
    port: [],
    wire: ['port'],
    dialects: ['port', 'wire'],
    models: ['port', 'wire', 'dialects'],
    prompt: ['port'],
    state: ['port', 'prompt'],
    steps: ['port', 'prompt', 'state'],
  },
  'packages/server/src': {
    store: [],
    log: ['store'],
    words: [],
    link: ['words'],
    patches: ['store'],
    sources: ['store', 'link'],
    search: ['store'],
    calls: ['store', 'log', 'words', 'link', 'patches', 'sources'],
    session: ['store', 'log', 'words', 'link', 'sources', 'calls'],
    outside: ['log', 'link', 'calls'],
    record: ['store', 'log', 'words', 'link', 'patches', 'sources', 'calls', 'session', 'outside'],
    runs: ['store', 'log', 'words', 'link', 'sources', 'calls', 'session', 'outside', 'record'],
    http: ['store', 'log', 'words', 'link', 'patches', 'sources', 'session', 'record', 'runs'],
    embedded: ['store', 'log', 'patches'],
    memory: ['store', 'log', 'patches'],
    shared: ['store', 'log', 'patches'],
    // only here an implementation is chosen: users of a store know its port alone
    stores: ['words', 'store', 'log', 'patches', 'embedded', 'memory', 'shared'],
    telemetry: ['log', 'stores', 'http'],
  },
  'packages/client/src': {
    workspace: [],
    apply: ['workspace'],
    state: ['apply'],
    // how state is kept, on small ports; only the modules that assemble the rooms choose where
    kept: ['workspace', 'apply', 'state'],
    embedded: ['workspace', 'state', 'kept'],
    memory: ['workspace', 'state', 'kept'],
    stored: ['workspace', 'apply', 'state', 'kept'],
    link: ['workspace', 'state'],
    draft: ['workspace', 'state', 'link'],
    gate: ['state'],
    files: ['workspace', 'draft', 'gate', 'review'],
    review: ['draft'],
    publish: ['workspace', 'apply', 'link', 'draft', 'review'],
    resolve: ['draft', 'review', 'publish'],
    calls: ['workspace', 'apply', 'link', 'draft', 'gate', 'files', 'review', 'publish'],
    methods: ['link', 'draft', 'gate', 'files', 'review', 'publish', 'resolve', 'calls'],
  },
  'packages/client/src/workspace': {
    paths: [],
    disk: ['paths'],
    tree: ['paths', 'disk'],
    memory: ['paths', 'tree'],
    hosted: ['paths', 'tree'],
  },
  'packages/host/src': {
    exit: [],
    lines: [],
    link: [],
    show: [],
    settings: ['exit'],
    models: ['settings'],
    outside: ['lines', 'settings'],
    telemetry: ['settings'],
    owner: ['exit', 'link', 'settings', 'models', 'outside', 'telemetry'],
    work: ['exit', 'lines', 'link', 'show', 'settings', 'models', 'outside', 'owner'],
    face: ['owner', 'work'],
  },
  'apps/mcp/src': {
    protocol: [],
    agent: [],
    gate: ['protocol', 'agent'],
    work: ['agent', 'gate'],
    'review-app': ['agent', 'gate', 'work'],
    http: ['protocol'],
    setup: [],
    commands: ['setup'],
  },
  'apps/acp/src': {
    protocol: [],
    editor: ['protocol'],
    show: ['editor'],
    ask: ['editor', 'show'],
    session: ['protocol', 'editor', 'show', 'ask'],
  },
  'apps/cli/src': {
    input: [],
    output: [],
    terminal: [],
    commands: ['input', 'output', 'terminal'],
  },
}

const MOST_MODULES = 24 // in one folder; with more than about twenty, a step is hard to find by its name

/** An import from one room into another that is not an arrow of the table, and a folder that needs rooms. */
export function roomFaults(sources: Source[]): string[] {
  return [...ringFaults(houses), ...sources.flatMap(arrowFaults), ...sizeFaults(sources)]
}

function arrowFaults({ path, imports }: Source): string[] {
  return Object.entries(houses).flatMap(([house, rooms]) => {
    const from = roomOf(house, path)
    if (from === undefined || from === '') return []
    const own = rooms[from]
    if (!own)
      return [`${path} is in no room of ${house}: add ${from} to test/architecture/rooms.ts.`]
    return imports.flatMap(({ path: target, specifier }) => {
      const to = target === undefined ? undefined : roomOf(house, target)
      if (to === undefined || to === from || own.includes(to)) return []
      const rule = own.length > 0 ? own.join(', ') : 'no other room'
      return [`${path} imports ${specifier}: ${from} may import ${rule} (ARCHITECTURE §3).`]
    })
  })
}

/** '' for a module next to the rooms; undefined for a module of another package. */
function roomOf(house: string, path: string): string | undefined {
  if (!path.startsWith(`${house}/`)) return undefined
  const [room, ...rest] = path.slice(house.length + 1).split('/')
  return rest.length === 0 ? '' : room
}

/** Two rooms that need each other, even indirectly, are one room. */
export function ringFaults(table: Readonly<Record<string, House>>): string[] {
  return Object.entries(table).flatMap(([house, rooms]) =>
    Object.keys(rooms)
      .filter(room => reaches(rooms, room).has(room))
      .map(room => `${house}/${room} needs itself by way of other rooms: cut the ring.`),
  )
}

function reaches(rooms: House, from: string): Set<string> {
  const seen = new Set<string>()
  const open = [...(rooms[from] ?? [])]
  for (const room of open) {
    if (seen.has(room)) continue
    seen.add(room)
    open.push(...(rooms[room] ?? []))
  }
  return seen
}

function sizeFaults(sources: Source[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of sources) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MOST_MODULES)
    .map(
      ([folder, count]) =>
        `${folder} holds ${count} modules: give it rooms, named for the steps of its work (ARCHITECTURE §3).`,
    )
}
