import type { z } from 'zod'

/**
 * An id, a path or a hash of which its type says more than the schema checks: one that nobody knows is refused where it
 * is looked for.
 */
export function typed<Text extends string>(schema: z.ZodString): z.ZodType<Text, string> {
  return schema as z.ZodType<unknown> as z.ZodType<Text, string>
}
