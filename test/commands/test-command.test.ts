import { expect, test } from 'vitest'
import { checkoutWith, runNode } from './checkout.ts'

const passing = "import { test } from 'vitest'\ntest('a', () => {})\ntest('b', () => {})\n"
const failing = "import { test } from 'vitest'\ntest('c', () => { throw new Error('no') })\n"
/** Fails the first time it runs, as a test does that was late. */
const late = `import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
test('late', () => {
  const isAgain = existsSync('ran')
  writeFileSync('ran', '')
  if (!isAgain) throw new Error('too late')
})
`
const skipped = "import { test } from 'vitest'\ntest.skip('d', () => {})\n"
const broken = "import './nowhere.ts'\n"

test('npm test ends with the counts of what really ran', async () => {
  const folder = checkoutWith({ 'a.test.ts': passing, 'd.test.ts': skipped })
  const { code, stdout } = await runNode(['scripts/test.mjs'], folder)
  expect(lastLine(stdout)).toBe('2 passed, 0 failed')
  expect(stdout).toMatch(/^1 skipped: /m)
  expect(code).toBe(0)
})

test('a failed test and a file that cannot be loaded are failures', async () => {
  const folder = checkoutWith({ 'a.test.ts': passing, 'c.test.ts': failing, 'e.test.ts': broken })
  const { code, stdout } = await runNode(['scripts/test.mjs'], folder)
  expect(lastLine(stdout)).toBe('2 passed, 2 failed')
  expect(code).toBe(1)
})

test('a test that was late runs once more, and is named when it passes then', async () => {
  const folder = checkoutWith({ 'a.test.ts': passing, 'late.test.ts': late })
  const { code, stdout } = await runNode(['scripts/test.mjs'], folder)
  expect(stdout).toMatch(/^Passed only when its file ran again, alone: late.test.ts: late$/m)
  expect(lastLine(stdout)).toBe('3 passed, 0 failed')
  expect(code).toBe(0)
})

test('a test that was late does not excuse one that fails', async () => {
  const folder = checkoutWith({ 'late.test.ts': late, 'c.test.ts': failing })
  const { code, stdout } = await runNode(['scripts/test.mjs'], folder)
  expect(lastLine(stdout)).toBe('1 passed, 1 failed')
  expect(code).toBe(1)
})

test('an argument picks test files by their path', async () => {
  const folder = checkoutWith({ 'a.test.ts': passing, 'c.test.ts': failing })
  const { code, stdout } = await runNode(['scripts/test.mjs', 'a.test'], folder)
  expect(lastLine(stdout)).toBe('2 passed, 0 failed')
  expect(code).toBe(0)
})

test('the full tests name the command that installs a missing tool', async () => {
  const folder = checkoutWith({ 'a.test.ts': passing })
  const { code, stdout, stderr } = await runNode(['scripts/test.mjs', '--full'], folder, {
    PATH: '',
  })
  expect(stderr).toMatch(
    /^The full tests need LibreOffice, which does not run here: (apt-get|brew) install /,
  )
  expect(stderr).toMatch(/^The full tests need poppler, .* install .*poppler/m)
  const missing = stderr.match(/^The full tests need /gm) ?? []
  expect(missing.length).toBeGreaterThan(2)
  expect(lastLine(stdout)).toBe(`0 passed, ${missing.length} failed`)
  expect(code).toBe(1)
})

test('the validator that cannot be fetched is named with the command that fetches it', async () => {
  const folder = checkoutWith({ 'npm-cli.cjs': 'process.exit(7)' })
  const script =
    "import('./scripts/ensure/validator.mjs').then(async own => console.log((await own.ensureValidator()).missing))"
  const ask = (env: Record<string, string>) => runNode(['-e', script], folder, env)
  const fetched = await ask({
    FILEWRIGHT_OOXML_VALIDATOR: '',
    npm_execpath: `${folder}/npm-cli.cjs`,
  })
  expect(fetched.stdout).toMatch(
    /^The full tests need the Open XML validator, which could not be installed: npm install .*@xarsh\/ooxml-validator-\S+@/,
  )
  const named = await ask({ FILEWRIGHT_OOXML_VALIDATOR: '/nowhere' })
  expect(named.stdout).toBe('FILEWRIGHT_OOXML_VALIDATOR names /nowhere, which does not exist.\n')
})

function lastLine(text: string): string | undefined {
  return text.trimEnd().split('\n').at(-1)
}
