// For information: how long other libraries take to read every cell of the same workbook, and to set one and save.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const READER = '@e965/xlsx@0.20.3' // the fastest reader in JavaScript
const CACHE = join(process.cwd(), '.filewright-cache/peers/xlsx')

const SCRIPT = `
const { readFileSync } = require('node:fs')
const XLSX = require('@e965/xlsx')
const started = performance.now()
const book = XLSX.read(readFileSync(process.argv[1]), { dense: true })
const readMs = performance.now() - started
book.Sheets.Data['!data'][1][1] = { t: 'n', v: 4711 }
XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true })
console.log(JSON.stringify({ readMs, setAndSaveMs: performance.now() - started }))`

const PYTHON = `
import json, sys, time
import openpyxl
started = time.time()
book = openpyxl.load_workbook(sys.argv[1])
read = time.time() - started
book['Data']['B2'] = 4711
book.save(sys.argv[2])
print(json.dumps({'readMs': read * 1000, 'setAndSaveMs': (time.time() - started) * 1000}))`

export function printPeers(file: string): void {
  print(READER, readerTimes(file))
  const python = PYTHONS.find(program => timesOf(program, ['-c', 'import openpyxl']) !== undefined)
  const args = ['-c', PYTHON, file, `${file}.peer.xlsx`]
  print('openpyxl', python === undefined ? undefined : timesOf(python, args))
}

/** The first Python that has openpyxl: the one on the path may not be the system's. */
const PYTHONS = ['python3', '/usr/bin/python3', 'python']

function readerTimes(file: string): string | undefined {
  const home = join(CACHE, 'node_modules/@e965/xlsx')
  if (!existsSync(home)) {
    mkdirSync(CACHE, { recursive: true })
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', CACHE, READER]
    spawnSync('npm', args, { stdio: 'ignore', timeout: 120_000 })
  }
  return existsSync(home) ? timesOf(process.execPath, ['-e', SCRIPT, file], CACHE) : undefined
}

function timesOf(program: string, args: readonly string[], cwd = process.cwd()) {
  const { status, stdout } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 300_000 })
  return status === 0 ? stdout : undefined
}

function print(peer: string, times: string | undefined): void {
  if (times === undefined)
    return console.log(JSON.stringify({ peer, note: 'not at hand here, so not measured' }))
  const { readMs, setAndSaveMs } = JSON.parse(times) as Record<string, number>
  console.log(
    JSON.stringify({
      peer,
      readAllMs: Math.round(readMs!),
      setOneCellAndSaveMs: Math.round(setAndSaveMs!),
    }),
  )
}
