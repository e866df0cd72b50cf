import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { StepFailure } from './command.mjs'
import { cache } from './paths.mjs'
import { readIfThere } from './stamp.mjs'

const beatMs = 1000
/** Longer than a busy machine may hold back a beat. */
const staleMs = 20_000

/** One run at a time in this checkout; a holder that died is ignored. */
export async function withLock(name, work) {
  const path = `${cache}${name}.lock`
  makeCache()
  await take(path)
  const beat = setInterval(() => touch(path), beatMs)
  beat.unref()
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.removeListener('exit', release)
    release()
  }
}

async function take(path) {
  const me = `${process.pid} ${Date.now()}`
  for (let told = false; ; ) {
    try {
      return writeFileSync(path, me, { flag: 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = readIfThere(path)
    if (holder !== undefined && isDead(path, holder)) passOver(path, holder)
    else if (!told) {
      console.error('Waiting for another run in this folder to finish building …')
      told = true
    }
    await wait(200)
  }
}

function isDead(path, holder) {
  const pid = Number.parseInt(holder, 10)
  // Written but not yet filled, or held on another machine or in another container: judged by the beat.
  try {
    if (pid) process.kill(pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return true
  }
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return modified !== undefined && Date.now() - modified > staleMs
}

/** Moved aside and read again: two that wait must not remove each other's new lock. */
function passOver(path, holder) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (readIfThere(aside) !== holder) linkSync(aside, path)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
  rmSync(aside, { force: true })
}

function touch(path) {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // Removed by hand: the work continues, and the release has nothing to remove.
  }
}

function makeCache() {
  try {
    mkdirSync(cache, { recursive: true })
  } catch (error) {
    throw new StepFailure(
      `Cannot build here: ${cache} cannot be made (${error.code}). Use a checkout that you may write to.`,
    )
  }
}
