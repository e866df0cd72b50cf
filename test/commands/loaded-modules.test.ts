import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { root, run, temporaryFolder } from './checkout.ts'

const LARGE = /pdfium|napi-rs.image|e965.xlsx|tree-sitter/

/** Writes down every module that a process asks for, by require or by import. */
function recorder() {
  const folder = temporaryFolder()
  const log = join(folder, 'asked.txt')
  const loader = `import { appendFileSync } from 'node:fs'
export const resolve = (name, context, next) => (appendFileSync(${JSON.stringify(log)}, name + '\\n'), next(name, context))`
  writeFileSync(join(folder, 'loader.mjs'), loader)
  const hook = join(folder, 'hook.cjs')
  writeFileSync(
    hook,
    `const Module = require('node:module')
const { appendFileSync } = require('node:fs')
const own = Module._resolveFilename
Module._resolveFilename = function (name, ...rest) {
  appendFileSync(${JSON.stringify(log)}, name + '\\n')
  return own.call(this, name, ...rest)
}
Module.register(${JSON.stringify(pathToFileURL(join(folder, 'loader.mjs')).href)})`,
  )
  return {
    env: { NODE_OPTIONS: `--require ${JSON.stringify(hook)}`, NODE_NO_WARNINGS: '1' },
    asked: () => readFileSync(log, 'utf8').split('\n'),
  }
}

test.each([{ args: ['tools'] }, { args: ['call', 'read_file', '{"path":"a.txt"}'] }])(
  'filewright $args loads no library of a format',
  async ({ args }) => {
    const { env, asked } = recorder()
    const command = sandbox({ 'a.txt': 'hello' })
    const { code, stderr, stdout } = await command.run(args, { env })
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(args[0] === 'call' ? 'hello' : 'read_file')
    expect(asked()).toContainEqual(expect.stringContaining('filewright.cjs'))
    expect(asked().filter(name => LARGE.test(name))).toEqual([])
  },
)

test('the recorder sees a library that is imported or required', async () => {
  const { env, asked } = recorder()
  const code = "require('@e965/xlsx'); import('@embedpdf/pdfium')"
  const ended = await run(process.execPath, ['-e', code], join(root, 'packages/documents'), env)
  expect(ended.code, ended.stderr).toBe(0)
  expect(asked()).toContain('@e965/xlsx')
  expect(asked()).toContain('@embedpdf/pdfium')
})
