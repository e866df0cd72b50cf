// Serves the page with the sample workspace: `npm start`, or `npm start -- -C FOLDER --port N`.
// The command runs in this process, so that there is nothing to leave behind.
import { cpSync, existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { endWithNpm } from './ensure/end-with-npm.mjs'
import { cache, root } from './ensure/paths.mjs'

const stopMs = 5000

const command = `${root}apps/cli/bin/filewright.cjs`
const options = process.argv.slice(2)
const folder = options.some(option => /^(-C|--cwd)/.test(option)) ? [] : ['-C', sampleWorkspace()]
process.argv.splice(1, Infinity, command, 'serve', ...folder, ...options)

endWithNpm(() => {
  setTimeout(() => process.exit(143), stopMs).unref()
  process.kill(process.pid, 'SIGTERM')
})
await import(pathToFileURL(command).href)

/** A copy, so that experiments leave the checkout clean; kept for the next start. */
function sampleWorkspace() {
  const copy = `${cache}sample`
  if (!existsSync(copy)) cpSync(`${root}sample`, copy, { recursive: true })
  return copy
}
