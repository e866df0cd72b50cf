import type { DiffHunk, TextReplacement } from '@filewright/documents/text'
import type { Fields } from '@filewright/protocol'
import {
  CHANGE_LABELS,
  CHANGE_NAMES,
  EDIT_NAMES,
  leftOf,
  NEIGHBOURS,
  namesIn,
  pick,
} from './sent-names.ts'

const OPERATIONS: Readonly<Record<string, string>> = {
  update: 'replace',
  modify: 'replace',
  edit: 'replace',
  change: 'replace',
  remove: 'delete',
  add: 'insert',
  append: 'insert',
}

/** A change with its own names; a key that is no known synonym stays, and the strict check then refuses it. */
export function repairChange(given: Fields): Fields {
  const sent = namesIn(given, CHANGE_NAMES)
  const word = String(given[sent.operation ?? ''] ?? '').toLowerCase()
  const newLines = asLines(given[sent.newLines ?? ''])
  const named = OPERATIONS[word] ?? word
  const hasNew = Array.isArray(newLines) && newLines.length > 0
  const operation = named === 'delete' && hasNew ? 'replace' : named
  const repaired = operation === 'insert' ? repairInsert(given, sent) : repairRange(given, sent)
  const used = [...repaired.used, sent.operation, 'changeId', ...CHANGE_LABELS]
  return {
    ...leftOf(given, used, { isInEntry: true }),
    operation,
    ...repaired.fields,
    ...(operation !== 'delete' && { newLines }),
    ...pick(given, CHANGE_LABELS),
  }
}

type SentNames = { readonly [Name in keyof typeof CHANGE_NAMES]?: string }

/** The place of a change, and the keys it was made of. */
interface Place {
  readonly fields: Fields
  readonly used: readonly (string | undefined)[]
}

function repairInsert(given: Fields, sent: SentNames): Place {
  const afterLine = asNumber(given[sent.afterLine ?? ''])
  const used = [sent.afterLine, sent.newLines, ...NEIGHBOURS]
  return { fields: { afterLine, ...pick(given, NEIGHBOURS) }, used }
}

function repairRange(given: Fields, sent: SentNames): Place {
  const newLines = asLines(given[sent.newLines ?? ''])
  const expectedOriginalLines = asLines(given[sent.expectedOriginalLines ?? ''])
  const startLine = asNumber(given[sent.startLine ?? ''])
  const endLine = asNumber(given[sent.endLine ?? ''])
  const count = Array.isArray(expectedOriginalLines) ? expectedOriginalLines.length : 1
  const end = typeof startLine === 'number' ? startLine + count - 1 : endLine
  const grows = Array.isArray(newLines) && newLines.length > count
  return {
    fields: {
      startLine,
      endLine: isCutShort(endLine, end, grows) ? endLine : end,
      expectedOriginalLines,
    },
    used: [sent.startLine, sent.endLine, sent.expectedOriginalLines, sent.newLines],
  }
}

/**
 * A range one longer than its lines was miscounted. A longer one, or one that the new lines fill, means that lines were
 * omitted: shortening the range would leave the rest after their replacement.
 */
function isCutShort(sent: unknown, counted: unknown, grows: boolean): boolean {
  if (typeof sent !== 'number' || typeof counted !== 'number') return false
  return sent - counted > 1 || (sent - counted === 1 && grows)
}

/** What a change was sent as, and the keys that this leaves. */
interface Sent<Meant> {
  readonly meant: Meant
  readonly left: Fields
}

/** A search with its replacement; a change that names lines is none. */
export function toEdit(given: Fields, others: readonly (string | undefined)[] = []) {
  const sent = namesIn(given, EDIT_NAMES)
  const { startLine, afterLine } = namesIn(given, CHANGE_NAMES)
  const [search, replace] = [asText(given[sent.search ?? '']), asText(given[sent.replace ?? ''])]
  const isPlaced = typeof asNumber(given[startLine ?? afterLine ?? '']) === 'number'
  if (isPlaced || !search || replace === undefined) return undefined
  const used = [...Object.values(sent), ...others, ...CHANGE_LABELS]
  const all = given[sent.all ?? ''] === true
  const meant = { search, replace, ...(all && { all }) }
  return { meant, left: leftOf(given, used, IN_ENTRY) } satisfies Sent<TextReplacement>
}

/** Old and new lines without their place. */
export function toHunk(given: Fields): Sent<DiffHunk> | undefined {
  const sent = namesIn(given, CHANGE_NAMES)
  const old = asLines(given[sent.expectedOriginalLines ?? ''])
  const now = asLines(given[sent.newLines ?? ''] ?? [])
  if (sent.startLine !== undefined || !isLines(old) || old.length === 0 || !isLines(now))
    return undefined
  const used = [sent.operation, sent.expectedOriginalLines, sent.newLines, ...CHANGE_LABELS]
  const row = (sign: '-' | '+') => (text: string) => ({ sign, text })
  return {
    meant: { rows: [...old.map(row('-')), ...now.map(row('+'))] },
    left: leftOf(given, used, IN_ENTRY),
  }
}

const IN_ENTRY = { isInEntry: true }

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(line => typeof line === 'string')
}

function asText(value: unknown): string | undefined {
  if (isLines(value)) return value.join('\n')
  return typeof value === 'string' ? value : undefined
}

function asLines(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\r?\n$/, '').split(/\r?\n/) : value
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value
}
