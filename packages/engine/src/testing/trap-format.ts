import { existsSync } from 'node:fs'
import type { DocumentName, Format, OpenDocument } from '@filewright/documents'
import { fail, inline, type LoggedOperation, ok, toChangeId } from '@filewright/protocol'

/**
 * A format of plain lines for the engine's own tests. A line or an operation `trap:<name>` does what a hostile file
 * would do to a format with a fault in it.
 */
export const trapFormat: Format = {
  open(bytes, name) {
    const lines = new TextDecoder().decode(bytes).split('\n')
    if (lines[0] === 'broken') return fail('UNREADABLE_FORMAT', 'Cannot open it: it is broken.')
    if (lines[0]?.startsWith('open:')) spring(lines[0].slice('open:'.length))
    return ok(openLines(lines, name))
  },
  create: () => ok(BLANK),
  replay(base, log, refused, name, inputs) {
    const kept = log.filter(entry => !refused.has(changeOf(entry, name).id))
    const document = openLines(new TextDecoder().decode(base).split('\n'), name)
    document.apply(kept, { inputs })
    const content = document.content()
    if (!content.ok) return content
    return ok({ content: content.value, changes: document.changes(), dropped: [] })
  },
  rebase({ current, log, name, inputs }) {
    const document = openLines(new TextDecoder().decode(current).split('\n'), name)
    document.apply(log, { inputs })
    const content = document.content()
    return content.ok ? ok({ content: content.value, log }) : content
  },
  diff: (before, after) =>
    ok({ by: 'lines', unified: [before, after].map(side => countLines(side)).join(', ') }),
  tasks: {
    sums: (_, files) => ok(files.map(file => file.reduce((sum, byte) => sum + byte, 0))),
    hang: () => ok(spring('hang')),
  },
}

function countLines(side: Uint8Array | null): string {
  return `${side ? new TextDecoder().decode(side).split('\n').length : 0} lines`
}

const BLANK = new TextEncoder().encode('blank')

function openLines(lines: string[], name: DocumentName): OpenDocument {
  const applied: LoggedOperation[] = []
  return {
    map() {
      for (const line of lines) if (line.startsWith('trap:')) spring(line.slice('trap:'.length))
      return ok({ text: `${lines.length} lines`, fields: { lines: lines.length } })
    },
    read(region: { readonly line_start?: number; readonly line_count?: number }) {
      const start = region.line_start ?? 1
      const shown = lines.slice(start - 1, start - 1 + (region.line_count ?? lines.length))
      return ok({ text: shown.join('\n'), fields: {}, shown: `${start}`, total: `${lines.length}` })
    },
    search({ regex, text = '', maxHits }) {
      const hits = lines
        .map((line, i) => ({ region: { line_start: i + 1 }, place: `line ${i + 1}`, text: line }))
        .filter(hit => (regex ? regex.test(hit.text) : hit.text.includes(text)))
      return ok({ hits: hits.slice(0, maxHits), isTruncated: hits.length > maxHits })
    },
    apply(log, options) {
      const results = []
      for (const entry of log) {
        const line = String(entry.operation.line)
        if (line === 'refuse') return fail('PROTECTED', 'Nothing was written: it is protected.')
        const pinned = entry.inputs?.[line]
        const given = pinned && options?.inputs?.[pinned]
        lines.push(given ? new TextDecoder().decode(given) : line)
        if (line.startsWith('trap:')) spring(line.slice('trap:'.length))
        applied.push(entry)
        results.push({ op: 'append', message: `Appended "${line}"` })
      }
      const traces = log.map(() => ({}))
      return ok({ results, changes: log.map(entry => changeOf(entry, name)), warnings: [], traces })
    },
    changes: () => applied.map(entry => changeOf(entry, name)),
    preview: () => ({ lines: lines.slice(0, 1), lineCount: lines.length }),
    content: () => ok(inline(new TextEncoder().encode(lines.join('\n')))),
  }
}

function changeOf(entry: LoggedOperation, name: DocumentName) {
  const { toolCallId, index, operation } = entry
  return {
    id: toChangeId(toolCallId, index, 'end'),
    ...name,
    kind: 'lines' as const,
    place: 'end',
    before: null,
    after: { text: String(operation.line) },
    operation: { toolCallId, index, op: operation.op },
    dependsOn: [],
  }
}

/** `told`: the file that triggers a waiting trap. */
function spring(line: string): void {
  const [trap = '', told = ''] = line.split('=')
  const kept: unknown[] = []
  switch (trap) {
    case 'hang':
      for (;;) kept.length = 0
    case 'heap':
      for (;;) kept.push(new Array(10_000).fill(kept.length))
    case 'bytes':
      for (;;) kept.push(new Uint8Array(1_000_000).fill(1))
    case 'some-bytes':
      held.push(new Uint8Array(60_000_000).fill(1))
      return
    case 'much-for-a-while':
      waitWith(new Uint8Array(220_000_000).fill(1))
      return
    case 'stack':
      spring('stack')
      return
    case 'throw':
      throw new Error('a fault in the format')
    case 'when-told':
      setInterval(() => {
        if (existsSync(told)) throw new Error('a fault after the answer')
      }, 5)
      return
    case 'crash':
      process.kill(process.pid, 'SIGSEGV')
      for (;;) kept.length = 0
    case 'exit':
      process.exit(3)
  }
}

const held: Uint8Array[] = []

function waitWith(bytes: Uint8Array): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  bytes.fill(2)
}
