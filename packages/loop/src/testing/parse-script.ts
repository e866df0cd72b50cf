import { fail, ok, type Result } from '@filewright/protocol'
import type { ScriptedAnswer } from '../models/scripted/model.ts'

/** The `assistant_message` lines of ADR-0010's JSONL, in order; lines of other types are what a run makes by itself. */
export function parseScript(jsonl: string): Result<readonly ScriptedAnswer[], 'INVALID_ARGUMENT'> {
  const answers: ScriptedAnswer[] = []
  for (const [index, text] of jsonl.split('\n').entries()) {
    if (text.trim() === '') continue
    const line = parseLine(text)
    if (!line)
      return fail(
        'INVALID_ARGUMENT',
        `Cannot read line ${index + 1} of the script: it is not a JSON object.`,
      )
    if (line.type === 'assistant_message') answers.push(toAnswer(line))
  }
  if (answers.length === 0)
    return fail(
      'INVALID_ARGUMENT',
      'The script has no assistant_message line, so there is nothing to replay.',
    )
  return ok(answers)
}

interface ScriptLine {
  readonly type?: unknown
  readonly text?: unknown
  readonly tool_calls?: readonly {
    readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
  }[]
}

function parseLine(text: string): ScriptLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

/** Arguments may be an object, which is easier to read in a script than a string within a string. */
function toAnswer({ text, tool_calls }: ScriptLine): ScriptedAnswer {
  const calls = (tool_calls ?? []).map(call => {
    const { name, arguments: args } = call.function ?? {}
    return {
      name: String(name ?? ''),
      arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    }
  })
  return { text: typeof text === 'string' ? text : '', calls }
}
