import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { dirname, join, sep } from 'node:path'

// biome-ignore lint/suspicious/noExplicitAny: a client of another make reads and writes JSON
export type Json = any

/** The second client's folder: lists, reads and creates files as docs/client-protocol.md says. */
export function openSecondFolder(dir: string) {
  const root = fs.realpathSync(dir)

  function read(spelling: string) {
    const place = locate(spelling)
    return place?.isFile
      ? { path: place.path, bytes: fs.readFileSync(join(root, place.path)) }
      : undefined
  }

  function list({ after = '', limit, named = '' }: Json) {
    const all = fs
      .readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => toPath(join(entry.parentPath, entry.name)))
      .filter(path => !/(^|\/)(\.git|node_modules)\//.test(path) && isNamed(path, fold(named)))
      .sort((a, b) => (a < b ? -1 : 1))
    const left = all.filter(path => path > after)
    const files = left.slice(0, limit).map(path => {
      const { size, mtime } = fs.statSync(join(root, path))
      return { path, docPath: fold(path), sizeBytes: size, modified: mtime, version: null }
    })
    return { files, total: all.length, next: left.length > limit ? files.at(-1)!.path : null }
  }

  function create({ path: given, content, overwrite = false }: Json): Json {
    const place = locate(given)
    if (!place || place.isFolder)
      return failed('InvalidPath', 'invalid', `"${given}" is not a file inside the folder.`)
    const { path, isFile } = place
    if (isFile && !overwrite) return failed('FileExists', 'conflict', `"${path}" exists.`)
    const bytes = Buffer.from(content.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))
    if (bytes.length > 10_485_760) return failed('TooLarge', 'limit', 'at most 10,485,760 bytes.')
    const target = join(root, path)
    let code = 'DirectoryCreateFailed'
    try {
      fs.mkdirSync(dirname(target), { recursive: true })
      code = 'WriteFailed'
      const staged = join(dirname(target), `.second-${randomUUID()}`)
      fs.writeFileSync(staged, bytes, { flush: true } as object)
      fs.renameSync(staged, target)
    } catch (error) {
      const { code: found } = error as NodeJS.ErrnoException
      const kind = found === 'ENOTDIR' || found === 'EEXIST' ? 'conflict' : 'unavailable'
      return failed(code, kind, `the disk answered ${found}.`)
    }
    const hash = sha256(bytes) // the text has line feeds only, so both hashes are the same
    return {
      ...{
        success: true,
        errorCode: null,
        message: isFile ? 'File overwritten.' : 'File created.',
      },
      ...{
        path,
        docPath: fold(path),
        sizeBytes: bytes.length,
        created: !isFile,
        overwritten: isFile,
      },
      ...{ hash, sha256: hash, version: hash.slice(0, 8) },
    }
  }

  /**
   * The spelling on disk of any spelling, or the one a new file would get; undefined when it leads out of the folder.
   */
  function locate(spelling: string) {
    const path = spelling.normalize('NFC').replaceAll('\\', '/')
    const segments = path.split('/').filter(part => part !== '' && part !== '.')
    const isBad = /^\/|^[a-z]:|\/$|[\u0000-\u001f]/i.test(path) || segments.includes('..')
    if (isBad || path.trim() === '' || segments.length === 0) return undefined
    let at = root
    for (const segment of segments) {
      const isThere = fs.existsSync(at) && fs.statSync(at).isDirectory()
      if (isThere && !isInside(at)) return undefined
      const names = isThere ? fs.readdirSync(at) : []
      at = join(at, names.find(name => fold(name) === fold(segment)) ?? segment)
    }
    const found = fs.existsSync(at) ? fs.statSync(at) : undefined
    if (found && !isInside(at)) return undefined
    return { path: toPath(at), isFile: found?.isFile() === true, isFolder: found?.isDirectory() }
  }

  const isInside = (path: string) => `${fs.realpathSync(path)}${sep}`.startsWith(`${root}${sep}`)
  const toPath = (absolute: string) => absolute.slice(root.length + 1).replaceAll(sep, '/')
  return { read, list, create }
}

export function failed(errorCode: string, kind: string, why: string) {
  return { success: false, errorCode, kind, message: `Nothing was written: ${why}` }
}

function isNamed(path: string, named: string) {
  if (!named.includes('*')) return fold(path).includes(named)
  const parts = named.split('**/').map(part => part.split('*').map(literal).join('.*'))
  const any = named.includes('/') ? '' : '(.*/)?'
  const whole = named.endsWith('/**') ? `${fold(path)}/` : fold(path)
  return new RegExp(`^${any}${parts.join('(.*/)?')}$`).test(whole)
}

const literal = (text: string) => text.replace(/[^\w]/g, '\\$&')
const fold = (path: string) => path.normalize('NFC').toLowerCase().normalize('NFC')
export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
