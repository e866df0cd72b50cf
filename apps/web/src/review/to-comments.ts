import type { Review } from '@filewright/protocol'

/** What the person says about single changes, for the model to read. */
export function toComments(
  { changes }: Review,
  comments: ReadonlyMap<string, string>,
): { readonly comments?: string[] } {
  const said = changes.flatMap(({ id, path, place }) => {
    const words = comments.get(id)?.trim()
    return words ? [`${path}, ${place}: ${words}`.slice(0, 2000)] : []
  })
  return said.length > 0 ? { comments: said.slice(0, 50) } : {}
}
