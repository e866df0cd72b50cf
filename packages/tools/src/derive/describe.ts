/** OpenAI's servers refuse a request with a longer description; MCP clients pass ours on to them. */
export const DESCRIPTION_CHARACTERS = 1024

/**
 * Summary and guidance for a model that receives nothing else. Guidance begins with the most important sentence, so
 * whole sentences are dropped from its end; `toGuidance` has it all.
 */
export function describe(summary: string, guidance: string): string {
  let text = summary
  for (const sentence of sentencesOf(guidance)) {
    if (text.length + 1 + sentence.length > DESCRIPTION_CHARACTERS) break
    text = `${text} ${sentence}`
  }
  return text
}

/** A sentence ends with a full stop before a capital, a number or a line end; "src/a.ts" has none. */
export function sentencesOf(guidance: string): readonly string[] {
  return guidance.split(/(?<=[.!?])\s+(?=[A-Z0-9"`])|\n/).filter(sentence => sentence !== '')
}
