import {
  type Change,
  type Consequence,
  toPlaceWords,
  toSideTexts,
  visible,
} from '@filewright/protocol'

/**
 * Changes as a person reads them: diffs for text, or its lines where there is no diff; one line for everything else. With their ids
 * where a command takes them.
 */
export function showChanges(
  changes: readonly Change[],
  diffs: readonly { path: string; diff: string }[],
  { hasIds = true }: { readonly hasIds?: boolean } = {},
): string {
  const byPath = new Map(diffs.map(({ path, diff }) => [path, diff]))
  const lines: string[] = []
  for (const path of new Set(changes.map(change => change.path))) {
    const own = changes.filter(change => change.path === path)
    const { fileLabel, fileKey } = own.find(change => change.labels)?.labels ?? {}
    lines.push(`── ${path}${fileLabel ? `  ${fileLabel}` : ''}${showKey(fileKey)}`)
    const diff = byPath.get(path)
    for (const change of own) {
      lines.push(hasIds ? `  ${change.id}  ${describe(change)}` : `  ${describe(toRead(change))}`)
      if (diff === undefined) lines.push(...showLines(change))
    }
    if (diff) lines.push(diff.replace(/\n$/, ''))
  }
  return visible(lines.join('\n'))
}

function toRead(change: Change): Change {
  const { place, description } = change
  return {
    ...change,
    place: toPlaceWords(place),
    ...(description !== undefined && { description: toPlaceWords(description) }),
  }
}

const SHOWN_RESULTS = 20

/** Results that follow from changes: they have no id, because nobody decides on them. */
export function showConsequences(consequences: readonly Consequence[]): string {
  const lines = consequences.slice(0, SHOWN_RESULTS).map(({ path, place, before, after }) => {
    const texts = toSideTexts(before, after)
    return `  ${path} ${place}: ${texts.before ?? '(none)'} → ${texts.after ?? '(computed on opening)'}`
  })
  const more = consequences.length - lines.length
  if (more > 0) lines.push(`  and ${more} more`)
  return visible(['Results that follow:', ...lines].join('\n'))
}

function showLines({ before, after }: Change): string[] {
  const removed = (before?.lines ?? []).map(line => `    -${line}`)
  const added = (after?.lines ?? []).map(line => `    +${line}`)
  return [...removed, ...added]
}

function describe(change: Change): string {
  const { place, kind, before, after, description, labels } = change
  const why = `${showKey(labels?.changeKey)}${description ? `  (${description})` : ''}`
  const isForm = before?.text !== undefined && after?.text !== undefined
  if (kind === 'sheet') return `${place}: ${showSheet(change)}${why}`
  if (kind === 'structure' && !isForm) return `${place}${showOneSide(change)}${why}`
  const isTold = kind === 'file' || !!before?.lines || !!after?.lines || !(before ?? after)
  return isTold ? `${place}${why}` : `${place}: ${showSides(change)}${why}`
}

/** A key of the model's own, next to what it names. */
export function showKey(key: string | undefined): string {
  return key ? `  [${key}]` : ''
}

function showOneSide({ place, before, after }: Change): string {
  const side = (after ?? before)?.text
  const isSaid = side === undefined || place.endsWith(` ${side}`) || place.includes(`!${side} `)
  return isSaid ? '' : `: ${side}`
}

function showSides({ before, after }: Change): string {
  const texts = toSideTexts(before, after)
  return `${texts.before ?? '(empty)'} → ${texts.after ?? '(empty)'}`
}

function showSheet(change: Change): string {
  if (!change.before) return 'added'
  return change.after ? showSides(change) : 'deleted'
}
