/** In one sentence: another attempt with the same words would only be paid again. */
export function filteredMessage(model: string): string {
  return `The provider of ${model} stopped the answer with its content filter.`
}
