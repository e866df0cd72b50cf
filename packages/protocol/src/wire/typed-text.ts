import type { z } from 'zod'

/** An id, a path or a hash whose type promises more than the schema checks: the lookup refuses an unknown one. */
export function typed<Text extends string>(schema: z.ZodString): z.ZodType<Text, string> {
  return schema as z.ZodType<unknown> as z.ZodType<Text, string>
}
