import { type Change, toSideTexts, visible } from '@filewright/protocol'

/** Changes as a person reads them: diffs for text, one line each for everything else. */
export function showChanges(
  changes: readonly Change[],
  diffs: readonly { path: string; diff: string }[],
): string {
  const byPath = new Map(diffs.map(({ path, diff }) => [path, diff]))
  const lines: string[] = []
  for (const path of new Set(changes.map(change => change.path))) {
    const own = changes.filter(change => change.path === path)
    const label = own.find(change => change.labels?.fileLabel)?.labels?.fileLabel
    lines.push(label ? `── ${path}  ${label}` : `── ${path}`)
    for (const change of own) lines.push(`  ${change.id}  ${describe(change)}`)
    const diff = byPath.get(path)
    if (diff) lines.push(diff.replace(/\n$/, ''))
  }
  return visible(lines.join('\n'))
}

function describe(change: Change): string {
  const { place, kind, before, after, description, labels } = change
  const key = labels?.changeKey ? `  [${labels.changeKey}]` : ''
  const why = `${key}${description ? `  (${description})` : ''}`
  const isForm = before?.text !== undefined && after?.text !== undefined
  if (kind === 'sheet') return `${place}: ${showSheet(change)}${why}`
  if (kind === 'structure' && !isForm) return `${place}${showOneSide(change)}${why}`
  const isTold = kind === 'file' || !!before?.lines || !!after?.lines || !(before ?? after)
  return isTold ? `${place}${why}` : `${place}: ${showSides(change)}${why}`
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
