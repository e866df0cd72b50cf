#!/usr/bin/env node
// Committed, so that npm links the command at install, before the bundle beside it is built.
import module from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`filewright needs Node 20.19 or newer, and this is Node ${process.versions.node}.`)
  process.exit(8)
}
// From Node 22.8 on: the compiled code is kept for the next start.
module.enableCompileCache?.()
try {
  await import('../dist/filewright.mjs')
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !isBundle(error.url)) throw error
  console.error('filewright is not built yet: run "npm run build" in the checkout, then try again.')
  process.exit(8)
}

function isBundle(url) {
  return url === new URL('../dist/filewright.mjs', import.meta.url).href
}
