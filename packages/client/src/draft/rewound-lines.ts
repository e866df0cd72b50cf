import type { DraftLine } from '@filewright/protocol'

type RewindLine = Extract<DraftLine, { type: 'rewind' }>

/** The lines of a draft that still count: those of calls that a person went back behind are undefined. */
export function linesInView(lines: readonly DraftLine[]): readonly (DraftLine | undefined)[] {
  const view: (DraftLine | undefined)[] = []
  for (const line of lines) {
    if (line.type === 'rewind')
      for (const [at, before] of view.entries()) view[at] = before && without(before, line)
    view.push(line)
  }
  return view
}

/** The files that these calls still change in the draft, as they are spelled there. */
export function pathsOf(
  lines: readonly DraftLine[],
  toolCallIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const paths = linesInView(lines).flatMap(line =>
    line && isStep(line) && toolCallIds.has(line.toolCallId) ? line.path : [],
  )
  return new Set(paths)
}

function without(line: DraftLine, { toolCallIds, partly }: RewindLine): DraftLine | undefined {
  const isGone = (toolCallId: string) => toolCallIds.some(id => id === toolCallId)
  if (line.type === 'rebase' && !partly.includes(line.docPath)) {
    const operations = line.operations.filter(each => !isGone(each.toolCallId))
    if (operations.length === line.operations.length) return line
    return { ...line, operations, changeCount: operations.length }
  }
  if (!isStep(line) || partly.includes(line.docPath)) return line
  return isGone(line.toolCallId) ? undefined : line
}

function isStep(
  line: DraftLine,
): line is Extract<DraftLine, { type: 'edit' | 'copy' | 'export' | 'move' | 'delete' }> {
  return ['edit', 'copy', 'export', 'move', 'delete'].includes(line.type)
}
