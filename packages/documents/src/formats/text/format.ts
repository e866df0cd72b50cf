import {
  type ChangeId,
  fail,
  type LoggedOperation,
  type OperationTrace,
  ok,
  type Result,
} from '@filewright/protocol'
import type {
  AppliedOperations,
  ApplyOptions,
  DocumentName,
  Format,
  OpenDocument,
  OperationResult,
  ReadOptions,
  Replayed,
  SearchQuery,
  StrayedOperation,
} from '../../format.ts'
import { hasStrayed, operationOf, refusedAt, traceOf } from '../../operation-trace.ts'
import { withdrawnBy } from '../../withdrawal.ts'
import { isBinary } from './decode/binary.ts'
import { decodeText } from './decode/text.ts'
import { unifiedDiff } from './diff/unified-diff.ts'
import { runOperation } from './edit/operations.ts'
import { lineMapOf } from './patch/line-map.ts'
import { rebaseLog } from './patch/rebase-log.ts'
import { formatTasks } from './tasks.ts'
import type { TextRegion } from './view/declared.ts'
import { mapText } from './view/map.ts'
import { previewText } from './view/preview.ts'
import { readText } from './view/read.ts'
import { searchText } from './view/search.ts'
import { History } from './write/history.ts'

/** Text of any encoding, edited by bytes. */
export const textFormat: Format = {
  open(bytes, name) {
    const history = openHistory(bytes, name)
    return history.ok ? ok(openText(history.value, name)) : history
  },
  create: (_, from) => ok(from ?? new Uint8Array()),
  replay(base, log, refused, name) {
    const opened = openHistory(base, name)
    if (!opened.ok) return opened
    const document = openText(opened.value, name)
    const applied = document.apply(log)
    return applied.ok ? ok(document.without(refused)) : applied
  },
  rebase: rebaseLog,
  tasks: formatTasks,
  diff: (before, after, { path }) => ok({ by: 'lines', unified: unifiedDiff(before, after, path) }),
}

function openHistory(
  bytes: Uint8Array,
  { path }: DocumentName,
): Result<History, 'UNREADABLE_FORMAT'> {
  if (isBinary(bytes))
    return fail(
      'UNREADABLE_FORMAT',
      `Cannot read "${path}" as text: it is a binary file. get_file_info says what it is and what reads it.`,
    )
  return ok(History.open(decodeText(bytes)))
}

const HELD_BYTES = 8 * 1024 * 1024 // bytes of overwritten text: most drafts have less until a review

function openText(opened: History, name: DocumentName) {
  let history = opened
  let first: readonly LoggedOperation[] = [] // two are enough to show that it is not a single patch
  const warned: string[] = []
  const strayed: StrayedOperation[] = []
  return {
    map: () => ok(mapText(history.current, name)),
    read: (region: TextRegion, options: ReadOptions) =>
      readText(history.current, region, name, options),
    search: (query: SearchQuery) => ok(searchText(history.current, query)),
    apply(log: readonly LoggedOperation[], { replays }: ApplyOptions = {}) {
      const done = runAll(history, log, { name, replays })
      if (!done.ok) return done
      const changes = done.value.history.changesSince(history)
      const { results, warnings, traces } = done.value
      history = done.value.history
      first = [...first, ...log.slice(0, 2)].slice(0, 2)
      warned.push(...warnings)
      strayed.push(...done.value.strayed)
      return ok({ results, changes, warnings, traces } satisfies AppliedOperations)
    },
    changes: () => history.changes(),
    strayed: () => strayed,
    abridge() {
      if (history.bytesBelow > HELD_BYTES) history = history.abridged()
    },
    get isAbridged() {
      return history.isAbridged
    },
    content: () => ok(history.content()),
    without(refused: ReadonlySet<ChangeId>): Replayed {
      const lineMap = lineMapOf(history.base, first, refused)
      const warnings = [...warned]
      return { ...history.without(refused), warnings, ...(lineMap && { lineMap }) }
    },
    preview: () => previewText(history.current.bytes),
  } satisfies OpenDocument
}

/** All or none: the caller keeps the history of the last good state. */
function runAll(
  opened: History,
  log: readonly LoggedOperation[],
  { name, replays }: Pick<ApplyOptions, 'replays'> & { readonly name: DocumentName },
) {
  let history = opened
  const results: OperationResult[] = []
  const warnings: string[] = []
  const traces: OperationTrace[] = []
  const strayed: StrayedOperation[] = []
  for (const logged of log) {
    const withdrawn = withdrawnBy(logged)
    if (withdrawn) {
      history = history.withdrawn(withdrawn)
      continue
    }
    const done = runOperation(history, logged, name)
    if (!done.ok) return replays ? refusedAt(done, logged) : done
    const trace = traceOf(logged, {}, done.value.history.changesSince(history))
    if (hasStrayed(logged, trace)) strayed.push(operationOf(logged))
    traces.push(trace)
    history = done.value.history
    results.push(done.value.result)
    warnings.push(...done.value.warnings)
  }
  return ok({ history, results, warnings, traces, strayed })
}
