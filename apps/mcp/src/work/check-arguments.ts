import { fail, ok, type Result, type ToolDeclaration } from '@filewright/protocol'

/** By the input schema of a tool of our own: an unknown key is refused by its name. */
export function checkArguments(
  tool: ToolDeclaration,
  sent: Readonly<Record<string, unknown>>,
): Result<Readonly<Record<string, unknown>>> {
  const given = tool.input.strict().safeParse(sent)
  if (given.success) return ok(given.data)
  const problems = given.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return fail('INVALID_ARGUMENT', `Nothing was done. ${problems.join('; ')}`)
}
