import { type Change, toPlaceWords, toSideTexts, visible } from '@filewright/protocol'
import type { Colours } from '../../terminal/colours.ts'
import { cellGrid, sheetOf } from './cell-grid.ts'

const MOST_LINES = 60

/** All of them in order; cells of one sheet as a small grid where it fits. */
export function showChanges(
  changes: readonly Change[],
  { colours, columns }: { readonly colours: Colours; readonly columns: number },
): string[] {
  const lines: string[] = []
  for (let at = 0; at < changes.length; ) {
    const sheet = sheetOf(changes[at]!)
    let end = at + 1
    if (sheet !== undefined) while (end < changes.length && sheetOf(changes[end]!) === sheet) end++
    const own = changes.slice(at, end)
    const grid = own.length > 1 ? cellGrid(own, colours, columns) : undefined
    lines.push(
      ...(grid
        ? [colours.bold(sheet!), ...grid]
        : own.flatMap(change => showChange(change, colours))),
    )
    at = end
  }
  return lines
}

/** One change as a person reads it: lines with the changed words marked, or the old and the new side. */
export function showChange(change: Change, colours: Colours): string[] {
  const { before, after, place, path, description } = change
  const why = description ? colours.dim(`  ${visible(toPlaceWords(description))}`) : ''
  const title = `${colours.bold(visible(path))} ${colours.dim(visible(toPlaceWords(place)))}${why}`
  if (before?.lines || after?.lines)
    return [title, ...showLines(before?.lines ?? [], after?.lines ?? [], colours)]
  const { before: was, after: is } = toSideTexts(before, after)
  const isNamed = was === undefined && (is === path || place.endsWith(` ${is}`))
  if (isNamed) return [title]
  const [old, now] = [linesOf(was), linesOf(is)]
  return [title, ...showLines(old, now, colours)]
}

/** The lines of a slide or a paragraph stand below each other. */
function linesOf(text: string | undefined): string[] {
  return text ? text.replace(/(?: ⏎ )+$/, '').split(/\n| ⏎ /) : []
}

function showLines(
  before: readonly string[],
  after: readonly string[],
  colours: Colours,
): string[] {
  const isPaired = before.length === after.length
  const removed = before.map((line, at) =>
    colours.red(`  - ${isPaired ? markWords(line, after[at]!, colours.strongRed) : visible(line)}`),
  )
  const added = after.map((line, at) =>
    colours.green(
      `  + ${isPaired ? markWords(line, before[at]!, colours.strongGreen) : visible(line)}`,
    ),
  )
  return [...bounded(removed), ...bounded(added)]
}

/** The words between the common beginning and the common end. */
function markWords(line: string, other: string, mark: (text: string) => string): string {
  const words = line.split(/(?<=\s)|(?=\s)/)
  const others = other.split(/(?<=\s)|(?=\s)/)
  const most = Math.min(words.length, others.length)
  let start = 0
  while (start < most && words[start] === others[start]) start++
  let end = 0
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end++
  const part = (from: number, to: number) => visible(words.slice(from, to).join(''))
  const until = words.length - end
  return `${part(0, start)}${mark(part(start, until))}${part(until, words.length)}`
}

function bounded(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LINES) return [...lines]
  return [...lines.slice(0, MOST_LINES), `  … ${lines.length - MOST_LINES} more`]
}
