#!/usr/bin/env node
// Committed, so that npm links the command at install, before the bundle next to it is built.
'use strict'
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  end(`filewright needs Node 20.19 or newer, and this is Node ${process.versions.node}.`)
}
// Before the first use of the pool: a sync holds a thread while it waits for the disk, and with four of them reads wait too.
process.env.UV_THREADPOOL_SIZE ??= '32'
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')
const { keepLater, readCode } = require('./code-cache.cjs')

const bundle = join(__dirname, '../dist/filewright.cjs')
start()

function start() {
  const source = readBundle()
  const cachedData = readCode(bundle, source)
  const script = new Script(source, { filename: bundle, cachedData })
  const isKept = cachedData !== undefined && !script.cachedDataRejected
  const keepCode = isKept ? () => {} : keepLater(bundle, source, script)
  const { main } = script.runInThisContext()(createRequire(bundle), bundle)
  main(keepCode)
}

/** The build wrote it in ASCII, so that node need not decode it. */
function readBundle() {
  try {
    return readFileSync(bundle, 'latin1')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    end('filewright is not built yet: run "npm run build" in the checkout, then try again.')
  }
}

function end(sentence) {
  console.error(sentence)
  process.exit(8)
}
