import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homesOf, type Source } from './sources.ts'

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
}

/** An import, or a dependency in a package.json, that is not an arrow of the table. */
export function layerFaults(root: string, sources: Source[]): string[] {
  const strangers = homesOf(root)
    .filter(home => home.startsWith('packages/') && !(short(home) in mayImport))
    .map(home => `${home} is not in the table of packages: add it to test/architecture/layers.ts.`)
  const imported = sources.flatMap(({ path, home, imports }) =>
    imports.flatMap(({ specifier, home: target }) =>
      target === undefined || allows(home, target)
        ? []
        : [`${path} imports ${specifier}: ${rule(home)} (ARCHITECTURE §2).`],
    ),
  )
  return [...strangers, ...imported, ...declaredFaults(root)]
}

function declaredFaults(root: string): string[] {
  return homesOf(root).flatMap(home => {
    const manifest = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'))
    return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
      .filter(name => name.startsWith('@filewright/'))
      .filter(name => !allows(home, name.replace('@filewright', 'packages')))
      .map(name => `${home}/package.json depends on ${name}: ${rule(home)} (ARCHITECTURE §2).`)
  })
}

function allows(home: string, target: string): boolean {
  if (home === target) return true
  if (target.startsWith('apps/')) return false
  return home.startsWith('apps/') || (mayImport[short(home)]?.includes(short(target)) ?? false)
}

function rule(home: string): string {
  if (home.startsWith('apps/')) return 'an app imports packages and no other app'
  const allowed = mayImport[short(home)] ?? []
  return `${short(home)} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other package'}`
}

function short(home: string): string {
  return home.slice(home.indexOf('/') + 1)
}
