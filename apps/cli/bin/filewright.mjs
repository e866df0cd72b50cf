#!/usr/bin/env node
// Committed, so that npm links the command at install, before the bundle beside it is built.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`filewright needs Node 20.19 or newer, and this is Node ${process.versions.node}.`)
  process.exit(8)
}
try {
  await import('../dist/filewright.mjs')
} catch (error) {
  if (
    error?.code !== 'ERR_MODULE_NOT_FOUND' ||
    !String(error.message).includes('dist/filewright.mjs')
  )
    throw error
  console.error('filewright is not built yet: run "npm run build" in the checkout, then try again.')
  process.exit(8)
}
