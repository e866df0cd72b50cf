// What does it cost to compute what an edit made stale? A workbook of 100,000 formulas: one input set and the file saved,
// with the results computed beside the same without. One process for each sample; `warm` is the third time in one
// process, as in the engine, whose thread for formulas stays too.
//
//   node bench/run.mjs formulas [--check] [--rounds N]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { xlsxFormat } from '@filewright/documents/xlsx'
import {
  type DocPath,
  type LoggedOperation,
  type Operation,
  type RelativePath,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import { zooBook } from '../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../packages/engine/src/formulas/evaluator.ts'
import { round2 } from './figures.ts'

const ROWS = 20_000

const args = process.argv.slice(2)
const rounds = Number(args[args.indexOf('--rounds') + 1]) || 3
const job = args.includes('--job') ? args[args.indexOf('--job') + 1]! : undefined

const FIGURES = [
  { name: 'one input with 6 dependents, saved', cell: 'B5', dependents: 6, atMost: 1.5 },
  { name: 'one input with 20,000 dependents, saved', cell: 'A1', dependents: ROWS, atMost: 4 },
] as const

if (job) runJob(job)
else main()

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'formulas.xlsx')
  writeFileSync(file, makeBook())
  const failures: string[] = []
  for (const [index, { name, atMost }] of FIGURES.entries()) {
    const samples = { computed: [] as Sample[], dropped: [] as Sample[] }
    for (let round = 0; round < rounds; round++)
      for (const side of ['computed', 'dropped'] as const)
        samples[side].push(sample(file, `${index}:${side}`))
    const least = (side: 'computed' | 'dropped', field: keyof Sample) =>
      Math.min(...samples[side].map(own => own[field]))
    const ratio = least('computed', 'warmMs') / least('dropped', 'warmMs')
    console.log(
      JSON.stringify({
        figure: name,
        coldMs: Math.round(least('computed', 'coldMs')),
        withoutColdMs: Math.round(least('dropped', 'coldMs')),
        coldRatio: round2(least('computed', 'coldMs') / least('dropped', 'coldMs')),
        warmMs: Math.round(least('computed', 'warmMs')),
        withoutWarmMs: Math.round(least('dropped', 'warmMs')),
        ratio: round2(ratio),
        atMost,
      }),
    )
    if (ratio > atMost) failures.push(`${name}: ${round2(ratio)} ×, at most ${atMost}`)
  }
  for (const line of failures) console.error(`beyond the limit: ${line}`)
  if (args.includes('--check') && failures.length > 0) process.exitCode = 1
}

interface Sample {
  readonly coldMs: number
  readonly warmMs: number
}

function sample(file: string, name: string): Sample {
  const command = [process.argv[1]!, '--job', name, '--file', file]
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as Sample
}

function runJob(name: string): void {
  const [index, side] = name.split(':') as [string, 'computed' | 'dropped']
  const { cell, dependents } = FIGURES[Number(index)]!
  const bytes = readFileSync(args[args.indexOf('--file') + 1]!)
  const file = join(process.cwd(), 'packages/engine/dist/formula-evaluator.cjs')
  const evaluator = createEvaluator({ file, timeMs: 60_000 })
  let asked = 0
  const counting: typeof evaluator = evaluation => {
    asked = evaluation.cells.length / 4
    return evaluator(evaluation)
  }
  const format =
    side === 'computed' ? (xlsxFormat.computing!(counting) as typeof xlsxFormat) : xlsxFormat
  const times: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const started = performance.now()
    setInput(format, bytes, cell, 3 + turn)
    times.push(performance.now() - started)
  }
  if (side === 'computed' && asked !== dependents) throw new Error(`${asked} dependents of ${cell}`)
  console.log(JSON.stringify({ coldMs: times[0], warmMs: Math.min(...times.slice(1)) }))
}

function setInput(
  format: typeof xlsxFormat,
  bytes: Uint8Array,
  cell: string,
  value: number,
): Uint8Array {
  const name = { docPath: 'formulas.xlsx' as DocPath, path: 'formulas.xlsx' as RelativePath }
  const document = unwrap(format.open(bytes, name))
  const operation: Operation = { op: 'set_cells', sheet: 'Data', cells: [{ cell, value }] }
  const circumstances = { time: '2026-01-01T00:00:00Z', author: 'bench', seed: 1 }
  const log: LoggedOperation[] = [{ toolCallId: 'tc_1', index: 0, operation, circumstances }]
  unwrap(document.apply(log))
  return toBytes(unwrap(document.content()), bytes)
}

/** In each row a number and five formulas, one of which reads A1; two sums. */
function makeBook(): Uint8Array {
  let [sumC, sumF] = [0, 0]
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const [row, own] = [at + 1, (at % 97) + 0.5]
    const third = Math.round((own / 3) * 100) / 100
    sumC += own * 2
    sumF += third
    const formula = (column: string, text: string, value: number) =>
      `<c r="${column}${row}"><f>${text}</f><v>${value}</v></c>`
    const first = row === 1 ? '<c r="A1"><v>2</v></c>' : ''
    return `<row r="${row}">${first}<c r="B${row}"><v>${own}</v></c>${formula('C', `B${row}*2`, own * 2)}${formula('D', `C${row}+1`, own * 2 + 1)}${formula('E', `IF(D${row}&gt;100,D${row},0)`, own * 2 + 1 > 100 ? own * 2 + 1 : 0)}${formula('F', `ROUND(B${row}/3,2)`, third)}${formula('G', `$A$1*1.5+H${row}`, 3)}</row>`
  })
  const totals = `<row r="${ROWS + 2}"><c r="B${ROWS + 2}"><f>SUM(C1:C${ROWS})</f><v>${sumC}</v></c><c r="C${ROWS + 2}"><f>SUM(F1:F${ROWS})</f><v>${Math.round(sumF * 100) / 100}</v></c></row>`
  return zooBook({ sheets: { Data: rows.join('') + totals } })
}
