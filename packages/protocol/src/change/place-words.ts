/**
 * A place, or where a change stands, as a person reads it. The ids that a model names things by (`n4k2x9a`, `p12`, the number of a
 * new slide or of a shape) say nothing to a person.
 */
export function toPlaceWords(place: string): string {
  return place
    .replace(/^new (paragraph|slide) \S+/, 'new $1')
    .replace(/^(slide .* ›.*\S) #\d+(?=$|,)/, '$1')
    .replace(/^after new slide \d+/, 'after another new slide')
    .replace(/^(after|before) (?:\w+\/)?n[a-z0-9]{7}$/, '$1 another new paragraph')
    .replace(/^(after|before) (?:(\w+)\/)?([pt])(\d+)$/, (_, side, story, kind, number) =>
      [side, story, kind === 'p' ? 'paragraph' : 'table', number].filter(Boolean).join(' '),
    )
}
