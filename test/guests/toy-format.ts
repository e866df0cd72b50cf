/** A format of notes, one per line: as much as its author would write, and nothing outside its folder. */
export const TOY_FILES = {
  'facts.ts': `import { z } from 'zod'
import type { FormatDeclaration } from '../../format-facts.ts'

export const toy = {
  words: { file: 'a toy', document: 'list of notes', place: 'note' },
  endings: ['.toy'],
  hostile: true,
  isPacked: false,
  reading: {
    selectors: { note: z.number().int().optional().describe('Which note') },
    region: 'a note',
    map: 'how many notes there are',
    fields: {
      map: { noteCount: z.number().int().optional().describe('How many notes there are (toy)') },
      read: { says: z.string().optional().describe('What the note says (toy)') },
    },
  },
  editing: {
    operations: {
      operations: {
        set_note: { takes: ['note', 'says'], does: 'writes a note', synonyms: ['write_note'] },
      },
      fields: {
        note: z.number().int().optional().describe('Which note'),
        says: z.string().optional().describe('What it says'),
      },
      example: '{"op": "set_note", "note": 1, "says": "milk"}',
    },
    newEndings: ['.toy'],
    mostPlaces: 1000,
    kinds: ['note'],
    unit: { name: 'notes', of: 'note' },
  },
  has: { rebase: false, preview: false },
  synonyms: { note: ['nr'] },
  load: async () => (await import('./format.ts')).toyFormat,
} as const satisfies FormatDeclaration
`,
  'format.ts': `import {
  type Change,
  type ChangeId,
  counted,
  fail,
  inline,
  type LoggedOperation,
  ok,
  toChangeId,
} from '@filewright/protocol'
import type { DocumentName, Format, OpenDocument } from '../../format.ts'

export const toyFormat: Format = {
  open: (bytes, name) => ok(openNotes(bytes, name)),
  create: (_, from) => ok(from ?? new TextEncoder().encode('-')),
  replay(base, log, refused, name) {
    const document = openNotes(base, name)
    const applied = document.apply(log.filter(logged => !refused.has(idOf(logged))))
    if (!applied.ok) return applied
    const content = document.content()
    if (!content.ok) return content
    return ok({ content: content.value, changes: applied.value.changes, dropped: [] })
  },
}

function openNotes(bytes: Uint8Array, name: DocumentName): OpenDocument {
  const notes = new TextDecoder().decode(bytes).split('\\n')
  const changes: Change[] = []
  return {
    map: () => ok({ text: counted(notes.length, 'note'), fields: { noteCount: notes.length } }),
    read({ note = 1 }: { readonly note?: number }) {
      const says = notes[note - 1] ?? ''
      const total = counted(notes.length, 'note')
      return ok({ text: says, fields: { says }, shown: \`note \${note}\`, total })
    },
    search: () => ok({ hits: [], isTruncated: false }),
    apply(log) {
      const wrong = log.find(({ operation }) => operation.op !== 'set_note')
      if (wrong) return fail('INVALID_ARGUMENT', 'Nothing was written: there is no such operation.')
      const made = log.map(logged => {
        const { note, says } = logged.operation
        const at = Number(note) - 1
        const change = toChange(logged, name, notes[at] ?? '')
        notes[at] = String(says)
        return change
      })
      changes.push(...made)
      const results = made.map(({ place }) => ({ op: 'set_note', message: \`Wrote \${place}.\` }))
      return ok({ results, changes: made, warnings: [], traces: log.map(() => ({})) })
    },
    changes: () => changes,
    content: () => ok(inline(new TextEncoder().encode(notes.join('\\n')))),
  }
}

function toChange(logged: LoggedOperation, name: DocumentName, before: string): Change {
  const { toolCallId, index, operation } = logged
  return {
    ...name,
    id: idOf(logged),
    kind: 'note',
    place: \`note \${operation.note}\`,
    before: { text: before },
    after: { text: String(operation.says) },
    operation: { toolCallId, index, op: operation.op },
    dependsOn: [],
  }
}

function idOf({ toolCallId, index, operation }: LoggedOperation): ChangeId {
  return toChangeId(toolCallId, index, \`note \${operation.note}\`)
}
`,
}
