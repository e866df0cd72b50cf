// English prose has about 4.2 bytes a token, code 3.2, Chinese in UTF-8 about 3: one figure that errs on the safe side.
export const BYTES_PER_TOKEN = 3.5

/** A picture costs a provider's model about this much, whatever its size. */
export const IMAGE_TOKENS = 1_500

/** An estimate: exact counts come from the provider with each answer. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
}
