import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cache, root } from './paths.mjs'

/** Returns the work to do, or undefined when it was done before for the same inputs and its outputs still exist. */
export function unlessDone(name, { inputs, outputs, work }) {
  const stamp = `${cache}${name}.stamp`
  const digest = digestOf(inputs)
  const done = readIfThere(stamp) === digest && outputs.every(path => existsSync(root + path))
  if (done) return undefined
  return async () => {
    const remark = await work()
    mkdirSync(cache, { recursive: true })
    writeFileSync(stamp, digest)
    return remark
  }
}

export function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The folders of packages/ and apps/, as paths below the root. */
export function workspaceFolders() {
  return ['packages', 'apps'].flatMap(parent =>
    (existsSync(root + parent) ? readdirSync(root + parent) : [])
      .map(name => `${parent}/${name}`)
      .filter(folder => existsSync(`${root}${folder}/package.json`)),
  )
}

/** Hashes paths and contents, not times: a clone or a branch switch changes every time. */
function digestOf(paths) {
  const digest = createHash('sha256')
  for (const path of paths) addTo(digest, path)
  return digest.digest('hex')
}

function addTo(digest, path) {
  if (isTest(path)) return
  let entries
  try {
    entries = readdirSync(root + path)
  } catch (error) {
    if (error.code === 'ENOENT') return
    if (error.code !== 'ENOTDIR') throw error
    digest
      .update(`${path}\0`)
      .update(readFileSync(root + path))
      .update('\0')
    return
  }
  for (const name of entries.sort()) addTo(digest, `${path}/${name}`)
}

function isTest(path) {
  return /\.(test|contract)\.tsx?$|\/scenarios$/.test(path)
}
