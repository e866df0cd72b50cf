import {
  fail,
  type IdSource,
  type JournalLine,
  type LogRow,
  ok,
  type Result,
  type RunId,
} from '@filewright/protocol'

/** ADR-0010's fields in its order; other fields of a row follow. */
const ADR_FIELDS = {
  user_message: ['type', 'message_id', 'role', 'text'],
  assistant_message: ['type', 'message_id', 'role', 'text', 'tool_calls'],
  tool_result: ['type', 'message_id', 'tool_call_id', 'content'],
} as const

type Exported = keyof typeof ADR_FIELDS

/** ADR-0010's form of a conversation, one message per line; rows of our own stay in the log. */
export function toJsonl(rows: readonly LogRow[]): string {
  return rows
    .filter(row => isExported(row.type))
    .map(row => `${JSON.stringify(ordered(row.body))}\n`)
    .join('')
}

/** Reads a fixture: adds the run and turn ids that ADR-0010's form lacks, and treats a result as a success. */
export function parseJsonl(
  text: string,
  ids: IdSource,
): Result<readonly JournalLine[], 'INVALID_ARGUMENT'> {
  const lines: JournalLine[] = []
  let runId: RunId | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const fields = parseObject(line)
    if (!fields || !isExported(fields.type))
      return badLine(index + 1, 'is not a JSON object with one of the three types')
    const missing = ADR_FIELDS[fields.type].find(
      name => name !== 'tool_calls' && name !== 'role' && typeof fields[name] !== 'string',
    )
    if (missing) return badLine(index + 1, `has no "${missing}"`)
    if (fields.type === 'user_message') runId = (fields.run_id as RunId) ?? ids('run')
    lines.push(completed(fields, fields.type, runId ?? ids('run'), ids))
  }
  return ok(lines)
}

function completed(
  fields: Readonly<Record<string, unknown>>,
  type: Exported,
  runId: RunId,
  ids: IdSource,
): JournalLine {
  const added = {
    user_message: { role: 'user', run_id: runId },
    assistant_message: { role: 'assistant', turn_id: fields.turn_id ?? ids('turn') },
    tool_result: { success: fields.success ?? true },
  }[type]
  return { ...fields, ...added } as unknown as JournalLine
}

function ordered(body: JournalLine): Record<string, unknown> {
  const fields = body as unknown as Record<string, unknown>
  const first: Record<string, unknown> = {}
  for (const name of ADR_FIELDS[body.type as Exported])
    if (fields[name] !== undefined) first[name] = fields[name]
  return { ...first, ...fields }
}

function isExported(type: unknown): type is Exported {
  return typeof type === 'string' && Object.hasOwn(ADR_FIELDS, type)
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function badLine(number: number, found: string) {
  return fail(
    'INVALID_ARGUMENT',
    `Cannot read the conversation: line ${number} ${found}. Each line is a user_message, an assistant_message or a tool_result (ADR-0010).`,
  )
}
