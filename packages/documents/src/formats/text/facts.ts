import { LIMITS } from '@filewright/protocol'
import type { FormatDeclaration } from '../../format-facts.ts'
import { isBinary } from './decode/binary.ts'
import { isLightText } from './light-work.ts'
import { USUAL_NAMES } from './usual-names.ts'
import { MAP_FIELDS, READ_FIELDS, SELECTORS } from './view/declared.ts'

/** Text of any encoding, edited by bytes. */
export const text = {
  words: { file: 'a text file', document: 'text', place: 'place' },
  endings: [], // everything that no other format claims
  usualNames: USUAL_NAMES,
  recognises: bytes => !isBinary(bytes),
  hostile: false,
  isLight: isLightText,
  isPacked: false,
  reading: {
    selectors: SELECTORS,
    region: 'lines of text',
    map: 'lines and encoding',
    note: 'Lines are shown as `12|text`: the number and the bar are not part of the file.',
    fields: { map: MAP_FIELDS, read: READ_FIELDS },
  },
  editing: {
    tool: 'write_text_file',
    wholeOperation: 'write_text',
    newEndings: ['.md', '.txt', '.csv'],
    mostPlaces: LIMITS.draftedPlaces,
    kinds: ['lines', 'structure'],
    unit: { name: 'lines' },
  },
  has: { rebase: true, diff: 'lines', preview: true, withdraw: true },
  synonyms: {
    line_start: ['startLine', 'start', 'firstLine', 'fromLine', 'offset'],
    line_count: ['limit', 'count', 'numLines', 'lines'],
  },
  load: async () => (await import('./format.ts')).textFormat,
} as const satisfies FormatDeclaration
