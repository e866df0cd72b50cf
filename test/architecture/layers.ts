import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homesOf, type Source } from './sources.ts'

/** The entry of the bin lists its faces, each an app of its own; no other module of an app imports an app. */
const LISTS_FACES = ['apps/cli/src/main.ts', 'apps/cli/package.json']

/** ARCHITECTURE §2: which package may import which; apps may import every package and no app. */
const mayImport: Record<string, readonly string[]> = {
  protocol: [],
  documents: ['protocol'],
  tools: ['protocol', 'documents'],
  engine: ['protocol', 'documents'],
  loop: ['protocol'],
  server: ['protocol', 'documents', 'tools', 'loop'],
  client: ['protocol', 'documents', 'engine', 'tools'],
  host: ['protocol', 'documents', 'tools', 'engine', 'loop', 'server', 'client'],
  'client-sdk': [], // its routes and types are generated, so that a product installs nothing else
}

/** An import, or a dependency in a package.json, that is not an arrow of the table. */
export function layerFaults(root: string, sources: Source[]): string[] {
  const strangers = homesOf(root)
    .filter(home => home.startsWith('packages/') && !(short(home) in mayImport))
    .map(home => `${home} is not in the table of packages: add it to test/architecture/layers.ts.`)
  const imported = sources.flatMap(({ path, home, imports }) =>
    imports.flatMap(({ specifier, home: target }) =>
      target === undefined || allows(path, home, target)
        ? []
        : [`${path} imports ${specifier}: ${rule(home)} (ARCHITECTURE §2).`],
    ),
  )
  return [...strangers, ...imported, ...declaredFaults(root)]
}

function declaredFaults(root: string): string[] {
  const homes = homesOf(root).map(home => ({ home, ...readManifest(root, home) }))
  const byName = new Map(homes.map(({ name, home }) => [name, home]))
  return homes.flatMap(({ home, dependencies, devDependencies }) => {
    const path = `${home}/package.json`
    return Object.keys({ ...dependencies, ...devDependencies })
      .filter(name => !allows(path, home, byName.get(name) ?? home))
      .map(name => `${path} depends on ${name}: ${rule(home)} (ARCHITECTURE §2).`)
  })
}

type Manifest = {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

function readManifest(root: string, home: string): Manifest {
  return JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'))
}

function allows(path: string, home: string, target: string): boolean {
  if (home === target) return true
  if (target.startsWith('apps/')) return LISTS_FACES.includes(path)
  return home.startsWith('apps/') || (mayImport[short(home)]?.includes(short(target)) ?? false)
}

function rule(home: string): string {
  if (home.startsWith('apps/'))
    return 'an app imports packages, and only the entry of the bin another app'
  const allowed = mayImport[short(home)] ?? []
  return `${short(home)} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other package'}`
}

function short(home: string): string {
  return home.slice(home.indexOf('/') + 1)
}
