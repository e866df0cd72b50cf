import { createHash } from 'node:crypto'
import type { Answer, Embedded } from '../../embedded.ts'

/** A call that models get wrong, and how the next one is built from the answer alone. */
export interface WrongCall {
  readonly title: string
  readonly tool: string
  /** The person's change between the model's last look and its call. */
  readonly before?: (product: Embedded) => Promise<unknown>
  readonly args: unknown
  /** The refusal's code; null if the call is corrected by itself and a warning says so. */
  readonly code: string | null
  /** The call is corrected, and the warning says so in these words. */
  readonly warned?: string
  /** Builds the next call only from the answer and the arguments sent. */
  readonly next?: (answer: Answer, sent: Answer) => NextCall
  /** The expected value of a part of the last answer. */
  readonly expected?: object
  /** The text of a file afterwards, in the workspace. */
  readonly written?: Readonly<Record<string, string>>
}

export interface NextCall {
  readonly tool?: string
  readonly args: unknown
}

export const FILES: Readonly<Record<string, string>> = {
  'Src/App.ts': 'one\ntwo\nthree\nfour\nfive\n',
  'Src/indent.py': 'if x:\n    a = 1\n\tb = 2\n',
  'Src/twice.txt': 'x\nmiddle\nx\n',
  'Src/ends.txt': 'a\r\nb\r\n',
  'notes.md': '# Notes\n\nfirst\nsecond\n',
}

export const VERSION = createHash('sha256').update(FILES['Src/App.ts']!).digest('hex').slice(0, 8)
export const INVALID = 'INVALID_ARGUMENT'

/** The next call of a model that follows the suggestion in the answer. */
export const asCorrected = (answer: Answer): NextCall => ({ args: answer.corrected })

export const replaceTwo = {
  operation: 'replace',
  startLine: 2,
  endLine: 2,
  expectedOriginalLines: ['two'],
  newLines: ['TWO'],
}
export const TWO = { 'Src/App.ts': 'one\nTWO\nthree\nfour\nfive\n' }

export function patch(changes: unknown, entry: object = {}) {
  return { files: [{ docPath: 'src/app.ts', originalSha256: VERSION, changes, ...entry }] }
}

export function bySimilar(answer: Answer, sent: Answer): NextCall {
  return { args: { ...sent, path: answer.similar[0] } }
}

/** What remains of an absolute path once it is relative to the workspace root. */
export function relative(answer: Answer, sent: Answer): NextCall {
  told(answer, 'relative to the workspace root')
  const path = sent.path.replace(/^([a-z]:)?[\\/.]+/i, '').replaceAll('\\', '/')
  return { args: { ...sent, path } }
}

/** The row relies on these words of the answer. */
export function told(answer: Answer, words: string) {
  if (!answer.message.includes(words)) throw new Error(`"${words}" is not in: ${answer.message}`)
}

export async function publishBook(product: Embedded) {
  await makeBook(product)
  await product.ask('publish', { body: {} })
}

export function makeBook(product: Embedded) {
  return product.call('xlsx_operations', {
    path: 'Book.xlsx',
    create_if_missing: true,
    operations: [
      { op: 'rename_sheet', sheet: 'Sheet1', name: 'Data' },
      {
        op: 'set_range',
        sheet: 'Data',
        start: 'A1',
        values: [
          ['n', 'v'],
          ['a', 1],
        ],
      },
    ],
  })
}
