import type { Buffer } from 'node:buffer'
import { fail, ok, type Result } from '@filewright/protocol'
import { codecFor } from '../../text/decode/codec.ts'
import { openCompoundFile } from './compound-file.ts'
import { type FormattedRun, formattedRuns, type RunTable } from './formatted-runs.ts'
import { decodePieces, readPieces, type StoredPiece } from './pieces.ts'
import { shownText } from './shown-text.ts'

type Refused = 'UNREADABLE_FORMAT' | 'ENCRYPTED'

const WORD = 0xa5ec
const OLDER_WORD = new Set([0xa5db, 0xa5dc, 0xa59b, 0xa59c])
const HEAD_BYTES = 0x1aa
const [ENCRYPTED, USES_TABLE_1] = [0x0100, 0x0200]
const PARTS = [
  { title: '', at: 0x4c },
  { title: 'footnotes', at: 0x50 },
  { title: 'headers and footers', at: 0x54 },
  { title: '', at: 0x58, isHidden: true },
  { title: 'comments', at: 0x5c },
  { title: 'endnotes', at: 0x60 },
  { title: 'text boxes', at: 0x64 },
] as const
const [CHARACTER_RUNS, PARAGRAPH_RUNS, PIECES] = [0xfa, 0x102, 0x1a2]
const [DELETED, IN_TABLE, ROW_END] = [0x0800, 0x2416, 0x2417] // codes of switches

/** The text of a document of Word 97 to 2003: the main text first, then notes, headers and the like under a heading. */
export function wordText(bytes: Uint8Array, path: string): Result<string, Refused> {
  const file = openCompoundFile(bytes)
  if (!file) return damaged(path)
  if (file.names.includes('EncryptedPackage')) return encrypted(path)
  const stream = file.stream('WordDocument')
  if (!stream || stream.length < 12) return damaged(path)
  const kind = stream.readUInt16LE(0)
  if (OLDER_WORD.has(kind)) return tooOld(path)
  const flags = stream.readUInt16LE(10)
  if (kind === WORD && flags & ENCRYPTED) return encrypted(path)
  const table = file.stream(flags & USES_TABLE_1 ? '1Table' : '0Table')
  if (kind !== WORD || stream.length < HEAD_BYTES || !table) return damaged(path)
  const pieces = readPieces(table, stream.readUInt32LE(PIECES), stream.readUInt32LE(PIECES + 4))
  const text = pieces && decode(stream, table, pieces)
  return text === undefined ? damaged(path) : ok(inParts(stream, text))
}

/** Undefined where the pieces lie outside of the file or overlap. */
function decode(stream: Buffer, table: Buffer, pieces: readonly StoredPiece[]): string | undefined {
  const runs = (at: number, of: RunTable['of']) => {
    const [start, length] = [stream.readUInt32LE(at), stream.readUInt32LE(at + 4)]
    return formattedRuns({ stream, table, start, length, of })
  }
  const cells = new Map<number, 'row' | 'cell'>()
  for (const { end, switches } of runs(PARAGRAPH_RUNS, 'paragraphs'))
    if (switches.has(ROW_END)) cells.set(end, 'row')
    else if (switches.has(IN_TABLE)) cells.set(end, 'cell')
  const deleted = disjoint(
    [...runs(CHARACTER_RUNS, 'characters')].filter(({ switches }) => switches.has(DELETED)),
  )
  return decodePieces({ stream, pieces, cells, deleted, codec: codecFor('windows-1252') })
}

/** Each byte has its properties once; a run that says otherwise is ignored. */
function disjoint(runs: readonly FormattedRun[]): FormattedRun[] {
  let behind = 0
  return [...runs]
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < behind || end <= start) return false
      behind = end
      return true
    })
}

function inParts(stream: Buffer, text: string): string {
  const shown: string[] = []
  let start = 0
  for (const { title, at, ...rest } of PARTS) {
    const end = Math.min(text.length, start + Math.max(0, stream.readInt32LE(at)))
    const part = shownText(text.slice(start, end))
    start = end
    if ('isHidden' in rest || part.trim() === '') continue
    shown.push(title === '' ? part : `— ${title} —\n${withoutRepeats(part)}`)
  }
  return shown.join('')
}

/** Notes end with marks, and every section has the same headers. */
function withoutRepeats(part: string): string {
  const lines = part.split('\n').filter(line => line.trim() !== '')
  return `${[...new Set(lines.map(line => line.trim()))].join('\n')}\n`
}

function damaged(path: string) {
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot read "${path}": it is named like a Word document, but it is damaged or of another program. Ask the person to save it as .docx.`,
  )
}

function tooOld(path: string) {
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot read "${path}": it is of a Word older than 97. Ask the person to save it as .docx.`,
  )
}

function encrypted(path: string) {
  return fail(
    'ENCRYPTED',
    `Cannot read "${path}": it is encrypted with a password. Ask the person for a copy without one, saved as .docx.`,
  )
}
