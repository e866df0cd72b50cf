import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** A test that cites a requirement. A gap is expected to fail, so it proves nothing yet. */
export type Citation = { id: string; file: string; gap: boolean }

/** The citations, and a sentence for each one that could not be read. */
export type Citations = { citations: Citation[]; faults: string[] }

/** Reads the citations from the sources, without running a test. */
export function findCitations(root: string): Citations {
  const files = ['apps', 'packages', 'test']
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => filesUnder(root, folder))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const found = files.map(file => citationsIn(file, () => read(file)))
  return {
    citations: found.flatMap(({ citations }) => citations),
    faults: [...found.flatMap(({ faults }) => faults), ...findIdleContracts(files, read)],
  }
}

/** A contract suite runs only if a test calls it, directly or through another suite; otherwise it proves nothing. */
export function findIdleContracts(files: string[], read: (file: string) => string): string[] {
  const called = new Set<string>()
  const follow = (file: string) => {
    for (const contract of contractsImportedBy(file, read(file))) {
      if (called.has(contract)) continue
      called.add(contract)
      if (files.includes(contract)) follow(contract)
    }
  }
  for (const file of files) if (/\.test\.tsx?$/.test(file)) follow(file)
  return files
    .filter(file => file.endsWith('.contract.ts') && !called.has(file))
    .map(file => `${file} is called by no test: what it cites is not proven.`)
}

function contractsImportedBy(file: string, source: string): string[] {
  const imports = source.matchAll(/from '(\.[^']*\.contract\.ts)'/g)
  return Array.from(imports, ([, target = '']) => posix.join(posix.dirname(file), target))
}

export function citationsIn(file: string, read: () => string): Citations {
  if (/\.(test|contract)\.tsx?$/.test(file)) return citationsInTest(file, read())
  if (/(^|\/)(call|scenario)\.json$/.test(file)) return citationsInScenario(file, read())
  return { citations: [], faults: [] }
}

function citationsInTest(file: string, source: string): Citations {
  const citations: Citation[] = []
  const faults: string[] = []
  if (!source.includes('verifies(')) return { citations, faults }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) faults.push(`${file} cannot be parsed: ${errors[0]?.message}.`)
  new Visitor({
    CallExpression({ callee, arguments: [ids, , , options], start }) {
      if (callee.type !== 'Identifier' || callee.name !== 'verifies') return
      const line = source.slice(0, start).split('\n').length
      const literals = literalsOf(ids)
      if (!literals) {
        faults.push(
          `${file}:${line} cites ids that are not literals: write the id itself as the first argument of verifies().`,
        )
        return
      }
      if (hasTrue(options, 'skip')) {
        faults.push(`${file}:${line} is always skipped and proves nothing: use { gap: true }.`)
        return
      }
      const gap = hasTrue(options, 'gap')
      citations.push(...literals.map(id => ({ id, file, gap })))
    },
  }).visit(program)
  return { citations, faults }
}

/** A scenario cites with `"verifies": [ids]`, and is a gap with `"gap": true`. */
function citationsInScenario(file: string, text: string): Citations {
  let scenario: { verifies?: unknown; gap?: unknown } | null
  try {
    scenario = JSON.parse(text)
  } catch {
    return { citations: [], faults: [`${file} is not JSON.`] }
  }
  const ids: unknown = scenario?.verifies ?? []
  if (!Array.isArray(ids) || !ids.every(id => typeof id === 'string')) {
    return { citations: [], faults: [`${file} has a "verifies" that is not a list of ids.`] }
  }
  return { citations: ids.map(id => ({ id, file, gap: scenario?.gap === true })), faults: [] }
}

/** The parts of the syntax tree that a citation is made of. */
type Node = {
  type: string
  value?: unknown
  elements?: (Node | null)[]
  properties?: { type: string; key?: { name?: string }; value?: Node }[]
}

function literalsOf(node: unknown): string[] | undefined {
  const ids = (node as Node | undefined)?.elements ?? [node as Node | undefined]
  const values = ids.map(id => (id?.type === 'Literal' ? id.value : undefined))
  return values.every(value => typeof value === 'string') ? (values as string[]) : undefined
}

function hasTrue(options: unknown, name: string): boolean {
  return ((options as Node | undefined)?.properties ?? []).some(
    ({ key, value }) => key?.name === name && value?.type === 'Literal' && value.value === true,
  )
}

function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1)) // readdir promises no order
    .flatMap(entry => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return isOurs(entry.name) ? filesUnder(root, path) : []
      return entry.isFile() ? [path] : []
    })
}

/** Trees that a scenario feeds to a tool are data, whatever their files are named. */
function isOurs(folder: string): boolean {
  return !['node_modules', 'dist', 'input', 'expected'].includes(folder)
}
