// Runs every test, or those whose path contains one of the arguments; ends with "N passed, N failed".
// --full uses the whole counts and the outside tools, and fails if a tool is missing.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { endWithNpm } from './ensure/end-with-npm.mjs'
import { root } from './ensure/paths.mjs'
import { ensureValidator } from './ensure/validator.mjs'
import { missingTools } from './test/outside-tools.mjs'

const full = process.argv.includes('--full')
const filters = process.argv.slice(2).filter(argument => argument !== '--full')

/** More files than these have not failed by chance. */
const MOST_AGAIN = 3

const missing = full ? missingTools() : []
if (missing.length > 0) {
  for (const sentence of missing) console.error(sentence)
  console.log(`0 passed, ${missing.length} failed`)
  process.exit(1)
}
const validator = full ? await ensureValidator() : {}
if (validator.missing) {
  console.error(validator.missing)
  console.log('0 passed, 1 failed')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'filewright-test-'))
chmodSync(folder, 0o711) // PostgreSQL does not run as root: its user has a folder in here
let vitest
endWithNpm(() => vitest?.kill('SIGTERM'))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest?.kill(signal))

const first = await runVitest('report', filters)
const { results, late } = await withLateTests(first)
removeLeftovers(folder)
const { passed, failed, skipped } = count(results)
// A run that broke outside of any test (an unhandled error, a signal) is a failure too.
const broken = first.code !== 0 && failed === 0 && late.length === 0 ? 1 : 0
if (broken) console.error(`The test run itself ended with ${first.code ?? first.signal}.`)
if (skipped > 0) console.log(`${skipped} skipped: a tool, a corpus or the full tier is missing.`)
for (const title of late) console.log(`Passed only when its file ran again, alone: ${title}`)
console.log(`${passed} passed, ${failed + broken} failed`)
process.exitCode = failed + broken === 0 ? 0 : 1

function runVitest(name, args) {
  const report = join(folder, `${name}.json`)
  vitest = spawn(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        // Anything a killed test left behind is removed with the folder.
        TMPDIR: folder,
        ...(full && { FILEWRIGHT_FULL: '1', FILEWRIGHT_OOXML_VALIDATOR: validator.path }),
      },
    },
  )
  return new Promise(resolve => {
    vitest.on('close', (code, signal) =>
      resolve({ code, signal, results: readReport(report).testResults }),
    )
  })
}

/**
 * Tests that drive processes and a browser can be late on a busy machine. The files of a few failures run once more, one at a
 * time; a test that passes then is named, so that somebody mends it. What fails twice has failed.
 */
async function withLateTests({ signal, results }) {
  const failing = results.filter(({ status }) => status === 'failed')
  const paths = [...new Set(failing.map(({ name }) => name))]
  if (signal || paths.length === 0 || paths.length > MOST_AGAIN) return { results, late: [] }
  console.log(`\nOnce more, alone: ${paths.map(path => relative(root, path)).join(', ')}`)
  const again = await runVitest('again', ['--maxWorkers=1', ...paths])
  if (again.signal || again.results.length === 0) return { results, late: [] }
  const rest = results.filter(({ name }) => !paths.includes(name))
  const failedTwice = new Set(again.results.flatMap(failedTests))
  const late = failing.flatMap(failedTests).filter(title => !failedTwice.has(title))
  return { results: [...rest, ...again.results], late }
}

function failedTests({ name, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => `${relative(root, name)}: ${fullName}`)
}

/** If a leftover process of a test still writes there and the folder cannot be removed, no test fails. */
function removeLeftovers(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  } catch (error) {
    console.error(`${folder} could not be removed: ${error.message}`)
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { testResults: [] }
  }
}

/** A file that could not be loaded has no tests in the report, and counts as one failure. */
function count(testResults) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of testResults) {
    for (const test of assertionResults) {
      if (test.status === 'passed') total.passed++
      else if (test.status === 'failed') total.failed++
      else total.skipped++
    }
    const explained = assertionResults.some(test => test.status === 'failed')
    if (status === 'failed' && !explained) total.failed++
  }
  return total
}
