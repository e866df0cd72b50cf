// Through how many modules does one call pass? `workspace_write_patch` with a yes, and `xlsx_operations` with one `set_cells`.
// A module counts when V8 says that one of its functions ran between the call's arrival at the server's routes and its
// answer; code that runs while a module is loaded does not count. Server and client are in one process, joined by function
// calls as in the command, with stores in memory and the engine next to them; the face (packages/host, apps/cli) is not part of
// it. The first call of each kind does the setup and is not counted. The modules are listed in
// the order in which they are first reached, by folder.
//
// Before the packages had rooms this gave 136 and 82.
//
//   node bench/run.mjs walk [--check]
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { parseSync, Visitor } from 'vite'

const BEFORE: Readonly<Record<string, number>> = { workspace_write_patch: 136, set_cells: 82 }
const root = process.cwd()
const folder = join(root, 'node_modules/.cache/bench/walk')

await main()

async function main(): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await buildModules()
  const output = execFileSync(process.execPath, [join(folder, 'walk-process.mjs')], { cwd: root })
  const walks = (JSON.parse(output.toString()) as Walk[]).map(walk => ({
    ...walk,
    before: BEFORE[walk.name] ?? 0,
    count: walk.files.length,
  }))
  console.log(JSON.stringify({ bench: 'walk', walks }))
  for (const { name, count, before, files } of walks) {
    console.log(`${name}: ${count} modules (${before} before the packages had rooms)`)
    for (const line of byFolder(files)) console.log(`  ${line}`)
  }
  if (process.argv.includes('--check') && walks.some(({ count, before }) => count >= before))
    process.exit(1)
}

interface Walk {
  readonly name: string
  /** In the order in which they are first reached. */
  readonly files: readonly string[]
}

/** One script for each module, so that V8 distinguishes them. */
async function buildModules(): Promise<void> {
  const bundle = await rolldown({
    input: join(root, 'bench/walk-process.ts'),
    platform: 'node',
    resolve: { conditionNames: ['filewright-source', 'node', 'import', 'default'] },
    external: id => /^(?!@filewright\/)[^./]/.test(id),
    plugins: [markFunctions()],
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: root,
    entryFileNames: ({ name }) => `${name.replace(/^bench\//, '')}.mjs`,
  })
}

/** V8 counts, but does not report the order: each function reports itself where the walk is. */
function markFunctions(): Plugin {
  return {
    name: 'mark-functions',
    transform(code, id) {
      const path = relative(root, id)
      if (!/^(packages|apps)\//.test(path)) return null
      const marks: { at: number; text: string }[] = []
      const mark = ({ body }: { body: { type: string; start: number; end: number } | null }) => {
        const told = `globalThis.reach?.(${JSON.stringify(path)})`
        if (body?.type === 'BlockStatement') marks.push({ at: body.start + 1, text: `${told};` })
        else if (body)
          marks.push({ at: body.start, text: `(${told},` }, { at: body.end, text: ')' })
      }
      new Visitor({
        FunctionDeclaration: mark,
        FunctionExpression: mark,
        ArrowFunctionExpression: mark,
      }).visit(parseSync(id, code).program)
      return { code: withMarks(code, marks) }
    },
  }
}

function withMarks(code: string, marks: readonly { at: number; text: string }[]): string {
  let marked = ''
  let end = 0
  for (const { at, text } of marks.toSorted((a, b) => a.at - b.at)) {
    marked += code.slice(end, at) + text
    end = at
  }
  return marked + code.slice(end)
}

function byFolder(files: readonly string[]): string[] {
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const [, place = '', name = ''] = /^(.*)\/(.*)\.tsx?$/.exec(file) ?? []
    folders.set(place, [...(folders.get(place) ?? []), name])
  }
  return [...folders].map(([place, names]) => `${place.replace('/src', '')}: ${names.join(' · ')}`)
}
