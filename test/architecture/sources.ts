import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync } from 'vite'

/** A module of a package or an app, with its imports; paths are below the root, with `/`. */
export type Source = {
  path: string
  /** Its package or app: `packages/protocol`, `apps/cli`. */
  home: string
  text: string
  /** The text without its comments. */
  code: string
  imports: Import[]
}

export type Import = {
  specifier: string
  /** The module it leads to, if it is one of ours. */
  path?: string
  /** The package or app it leads to, if it is one of ours. */
  home?: string
}

/** Every module under src/ of packages/ and apps/ that ships: no tests, contracts or fixtures. */
export function readSources(root: string): Source[] {
  const homes = homesOf(root)
  const byName = new Map(homes.map(home => [nameOf(root, home), home]))
  return homes.flatMap(home =>
    modulesIn(root, `${home}/src`)
      .filter(path => !isTest(path))
      .map(path => {
        const text = readFileSync(join(root, path), 'utf8')
        const { specifiers, code } = readOnce(path, text)
        const imports = specifiers.map(name => resolve(path, name, byName))
        return { path, home, text, code, imports }
      }),
  )
}

/** Each rule reads the whole tree, and again with each injected fault, so the same text is parsed only once. */
export function oncePerText<Value>(read: (path: string, text: string) => Value) {
  const known = new Map<string, { readonly text: string; readonly value: Value }>()
  return (path: string, text: string): Value => {
    const before = known.get(path)
    if (before?.text === text) return before.value
    const value = read(path, text)
    known.set(path, { text, value })
    return value
  }
}

const readOnce = oncePerText(readModule)

export function homesOf(root: string): string[] {
  return ['packages', 'apps'].flatMap(parent =>
    (existsSync(join(root, parent)) ? readdirSync(join(root, parent)) : [])
      .sort()
      .map(name => `${parent}/${name}`)
      .filter(home => existsSync(join(root, home, 'package.json'))),
  )
}

/** TypeScript 7 has no API to ask; the parser inside vite knows the same grammar. */
export function readModule(path: string, text: string): { specifiers: string[]; code: string } {
  const { module, comments } = parseSync(path, text)
  const code = withoutComments(text, comments)
  const calls = code.matchAll(/\b(?:import|require)\(\s*(['"`])(.+?)\1/g)
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...[...calls].map(match => match[2] as string),
  ]
  return { specifiers: [...new Set(specifiers)], code }
}

function withoutComments(text: string, comments: { start: number; end: number }[]): string {
  let rest = ''
  let end = 0
  for (const comment of comments) {
    rest += text.slice(end, comment.start)
    end = comment.end
  }
  return rest + text.slice(end)
}

function resolve(from: string, specifier: string, byName: Map<string, string>): Import {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(from), specifier)
    return { specifier, path, home: path.split('/').slice(0, 2).join('/') }
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  return { specifier, home: byName.get(name) }
}

function nameOf(root: string, home: string): string {
  return JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8')).name
}

function modulesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'scenarios' ? [] : modulesIn(root, path)
      return /\.tsx?$/.test(entry.name) ? [path] : []
    })
}

function isTest(path: string): boolean {
  return /\.(test|contract|bench)\.tsx?$/.test(path) || dirname(path).split('/').includes('testing')
}
