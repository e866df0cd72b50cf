import { excessIn, fail, isTooDeep, ok, type Result, TOO_DEEP } from '@filewright/protocol'

const SHOWN = 120

/**
 * The object that a model sent as arguments. No arguments at all are `{}`, and an object sent as a JSON string counts as the
 * object: both are common, and neither can mean anything else.
 */
export function parseArguments(json: string): Result<Record<string, unknown>, 'INVALID_ARGUMENT'> {
  if (json.trim() === '') return ok({})
  const excess = excessIn(json)
  if (excess !== undefined) return fail('INVALID_ARGUMENT', `The call was not run: ${excess}`)
  const value = parseJson(json)
  const inner = typeof value === 'string' ? parseJson(value) : value
  if (isTooDeep(inner)) return fail('INVALID_ARGUMENT', `The call was not run: ${TOO_DEEP}`)
  if (inner !== null && typeof inner === 'object' && !Array.isArray(inner))
    return ok(inner as Record<string, unknown>)
  const shown = json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json
  return fail(
    'INVALID_ARGUMENT',
    `The call was not run: its arguments are not one JSON object (found ${JSON.stringify(shown)}). Send the call again with valid JSON; send long content in smaller pieces.`,
  )
}

/** The same arguments as the JSON of an object; valid JSON stays unchanged. */
export function toObjectJson(json: string): Result<string, 'INVALID_ARGUMENT'> {
  const args = parseArguments(json)
  if (!args.ok) return args
  return ok(json.trimStart().startsWith('{') ? json : JSON.stringify(args.value))
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
