import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decisionOn } from './decisions.ts'
import { readModule, type Source } from './sources.ts'

const formats = 'packages/documents/src/formats'
const list = `${formats}/index.ts`

/** Ids that are also English words: they count only next to something called a format. */
const ORDINARY = ['text', 'image', 'table']

/** A decision by a format's id outside its folder, where a fact of the format should decide; and an unlisted format. */
export function formatFaults(root: string, sources: Source[]): string[] {
  const ids = formatIds(root)
  const { specifiers } = readModule(list, readFileSync(join(root, list), 'utf8'))
  const listed = specifiers.map(specifier => specifier.split('/')[1] ?? '')
  return [
    ...ids
      .filter(id => !listed.includes(id))
      .map(
        id =>
          `${formats}/${id} is not in ${list}: a format is one folder and one line (ARCHITECTURE §5).`,
      ),
    ...sources
      .filter(({ path }) => !path.startsWith(`${formats}/`))
      .flatMap(source => decisionFaults(source, ids)),
  ]
}

export function formatIds(root: string): string[] {
  return readdirSync(join(root, formats), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
}

function decisionFaults({ path, code }: Source, ids: readonly string[]): string[] {
  const own = ids.filter(id => !ORDINARY.includes(id))
  const found = [
    ...(own.length > 0 ? code.matchAll(decisionOn(own)) : []),
    ...code.matchAll(besideFormat(ids)),
  ]
  const decisions = new Set(found.map(([text]) => text.replace(/\s+/g, ' ').trim()))
  return [...decisions].map(
    decision =>
      `${path} decides by a format's id (${decision}): give the format a fact and ask that (ARCHITECTURE §5).`,
  )
}

/** `format === 'text'`, `case 'text'` of a switch by a format, `{ text: …, xlsx: … }` typed by format ids. */
function besideFormat(ids: readonly string[]): RegExp {
  const literal = `(['"\`])(?:${ids.join('|')})`
  return new RegExp(
    [
      String.raw`\b\w*format\w*(?:\??\.\w+)?\s*[!=]==?\s*${literal}\1`,
      String.raw`${literal}\2\s*[!=]==?\s*[\w.?]*format\w*`,
      String.raw`switch\s*\([^)]*format[^)]*\)\s*\{[^}]*?case\s*${literal}\3`,
      String.raw`Record<\s*FormatId\b`,
    ].join('|'),
    'gi',
  )
}
