import { type Change, type ChangeSide, visible } from '@filewright/protocol'

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
  if (kind === 'cell' || kind === 'format')
    return `${place}: ${show(before)} → ${show(after)}${why}`
  return `${place}${why}`
}

function show(side: ChangeSide | null): string {
  if (!side) return '(empty)'
  const value = side.text ?? String(side.value ?? '')
  if (side.formula) {
    const formula = `=${side.formula.replace(/^=/, '')}`
    return value === '' ? formula : `${formula} (${value})`
  }
  if (value === '') return '(empty)'
  return value.startsWith('=') ? `the text "${value}"` : value
}
