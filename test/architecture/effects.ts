import type { Source } from './sources.ts'

/** The modules that may use an effect directly; all others receive it as a parameter. */
type EffectRule = {
  found: (source: Source) => string | undefined
  allowed: (source: Source) => boolean
  rule: string
}

const rules: EffectRule[] = [
  {
    found: importing(/^(node:)?fs(\/promises)?$/),
    allowed: ({ path }) =>
      isEntry(path) ||
      /^packages\/client\/src\/(workspace|embedded)\//.test(path) ||
      /^packages\/server\/src\/(embedded\/|http\/static)/.test(path) ||
      /^packages\/host\/src\/(settings|owner)\//.test(path),
    rule: 'the disk is reached only in client/workspace, client/embedded, server/embedded, server/http/static, host/settings and host/owner',
  },
  {
    found: importing(/^(node:)?(child_process|worker_threads|cluster)$/),
    allowed: ({ home, path }) =>
      home === 'packages/engine' ||
      home.startsWith('apps/') ||
      path.startsWith('packages/host/src/outside/'),
    rule: 'processes and threads are started only in engine, and MCP servers in host/outside',
  },
  {
    found: importing(/^(node:)?(net|tls|http|https|http2|dgram|dns)$/),
    allowed: ({ home }) => !/^packages\/(protocol|documents|tools|engine)$/.test(home),
    rule: 'protocol, documents, tools and engine do not reach the network',
  },
  {
    found: containing(/\bprocess\s*(?:\.\s*env\b|\[\s*['"]env['"])|\bimport\.meta\.env\b/),
    allowed: ({ path }) => path.endsWith('/config.ts'),
    rule: 'the environment is read only in a config.ts',
  },
  {
    found: containing(
      /\b(?:Date\.now|performance\.now|Math\.random|randomUUID|randomBytes)\(|\bnew Date\(\)/,
    ),
    allowed: ({ home }) => home !== 'packages/documents',
    rule: 'documents are pure, so clock and random come in as arguments',
  },
  {
    found: containing(/\bAbortSignal\.any\(\[[^\]]*?\bAbortSignal\.timeout\b/),
    allowed: () => false,
    rule: 'garbage collection may take that time limit away; signalWithin holds it',
  },
]

/** An effect (disk, processes, network, environment, clock) used outside these modules. */
export function effectFaults(sources: Source[]): string[] {
  return rules.flatMap(({ found, allowed, rule }) =>
    sources.flatMap(source => {
      const effect = allowed(source) ? undefined : found(source)
      return effect === undefined ? [] : [`${source.path} ${effect}: ${rule} (ARCHITECTURE §2).`]
    }),
  )
}

function importing(pattern: RegExp): EffectRule['found'] {
  return ({ imports }) => {
    const specifier = imports.find(({ specifier }) => pattern.test(specifier))?.specifier
    return specifier && `imports ${specifier}`
  }
}

function containing(pattern: RegExp): EffectRule['found'] {
  return ({ code }) => {
    const found = code.match(pattern)?.[0]
    return found && `uses ${found}`
  }
}

/** Where an app begins: its main and its commands. */
function isEntry(path: string): boolean {
  return /^apps\/[^/]+\/src\/(main\.tsx?|commands\/.+\.ts)$/.test(path)
}
