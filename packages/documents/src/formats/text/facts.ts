import { LIMITS } from '@filewright/protocol'
import type { FormatDeclaration } from '../../format-facts.ts'
import { isBinary } from './decode/binary.ts'
import { SELECTORS } from './view/selectors.ts'

/** Text of any encoding, edited by bytes. */
export const text = {
  words: { file: 'a text file', document: 'text', place: 'place' },
  endings: [], // whatever no other format claims
  recognises: bytes => !isBinary(bytes),
  newEndings: ['.md', '.txt', '.csv'],
  selectors: SELECTORS,
  hostile: false,
  isPacked: false,
  mostPlaces: LIMITS.draftedPlaces,
  tool: 'write_text_file',
  wholeOperation: 'write_text',
  has: { rebase: true, diff: 'lines', preview: true },
  load: async () => (await import('./format.ts')).textFormat,
} as const satisfies FormatDeclaration
