// Keeps what V8 compiled of the bundle for the next start, because one file of this size takes longer to
// parse than most commands take to run. What is kept is a cache: whatever is wrong with it, the bundle is
// compiled again.
'use strict'
const fs = require('node:fs')
const { dirname, isAbsolute, join } = require('node:path')
const { crc32 } = require('node:zlib')

const ID = [3, 67] // the digest in the first line of the bundle
const HEAD = 72 // bytes: that digest and a checksum
const LONG_LIVED_MS = 5000

/** What an earlier start of the same bundle kept, or undefined. */
exports.readCode = (bundle, source) => {
  for (const { file, isTrusted } of places(bundle)) {
    const code = readKept(file, isTrusted)
    if (code && code.latin1Slice(0, HEAD) === headOf(source, code.subarray(HEAD)))
      return code.subarray(HEAD)
  }
}

/**
 * Keeps the code at the end of a command that succeeded, or once a process turns out to be one that stays;
 * or earlier, when the answer is called: once, in each case.
 */
exports.keepLater = (bundle, source, script) => {
  const keepOnce = () => {
    clearTimeout(timer)
    process.removeListener('exit', atExit)
    if (!isKept) keep(bundle, source, script)
    isKept = true
  }
  let isKept = false
  const atExit = code => code === 0 && keepOnce()
  process.on('exit', atExit)
  const timer = setTimeout(keepOnce, LONG_LIVED_MS)
  timer.unref()
  return keepOnce
}

/** Keeps nothing where it cannot write. */
function keep(bundle, source, script) {
  for (const { file } of places(bundle)) {
    try {
      fs.mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
      const part = fs.openSync(`${file}.new`, 'w', 0o644)
      const code = script.createCachedData()
      fs.writeFileSync(part, Buffer.concat([Buffer.from(headOf(source, code), 'latin1'), code]))
      fs.closeSync(part)
      fs.renameSync(`${file}.new`, file)
      return
    } catch {
      // Read-only or full: the next place is tried.
    }
  }
}

/**
 * Next to the bundle, where anyone who may write can replace the bundle itself; for an install that its user
 * may not write to, a folder of the user. From there root must not run what another user wrote.
 */
function* places(bundle) {
  const folder = dirname(bundle)
  const name = `${process.version}-${process.arch}-${roleOf(process.argv[2] ?? '')}`
  yield { file: join(folder, 'code', name), isTrusted: () => true }
  const home = homeOf(require('node:os'))
  const install = folder.replace(/[^\w.]+/g, '-').slice(-150)
  if (home) yield { file: join(cacheIn(home), install, name), isTrusted: isOwn }
}

/** Each command has a cache of its own, since a cache is read as a whole. */
function roleOf(word) {
  if (word === '__engine')
    return require('node:worker_threads').isMainThread ? 'engine' : 'engine-thread'
  return /^[a-z]{1,20}$/.test(word) ? word : 'other'
}

/** Undefined for a user unknown to the system, as in some containers, and for a relative path. */
function homeOf(os) {
  try {
    return isAbsolute(os.homedir()) ? os.homedir() : undefined
  } catch {
    return undefined
  }
}

/** The engine's child has an empty environment and finds the usual folder only. */
function cacheIn(home) {
  const { platform, env } = process
  if (platform === 'win32')
    return join(absolute(env.LOCALAPPDATA) ?? join(home, 'AppData/Local'), 'Filewright', 'code')
  if (platform === 'darwin') return join(home, 'Library/Caches/Filewright')
  return join(absolute(env.XDG_CACHE_HOME) ?? join(home, '.cache'), 'filewright')
}

/** The XDG rule: a relative path is ignored. */
function absolute(path) {
  return path && isAbsolute(path) ? path : undefined
}

function isOwn({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

function readKept(file, isTrusted) {
  try {
    const opened = fs.openSync(file, 'r')
    try {
      return isTrusted(fs.fstatSync(opened)) ? fs.readFileSync(opened) : undefined
    } finally {
      fs.closeSync(opened)
    }
  } catch {
    // Missing or not readable: treated alike.
  }
}

/** V8 checks its own version and flags, but neither the source of the code nor the bytes. */
function headOf(source, code) {
  return source.slice(...ID) + crc32(code).toString(16).padStart(8, '0')
}
