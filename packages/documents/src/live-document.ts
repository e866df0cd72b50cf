import {
  type Change,
  type ChangeId,
  type Content,
  fail,
  type LoggedOperation,
  type OperationTrace,
  ok,
  type Result,
} from '@filewright/protocol'
import { keyOf } from './draft-log.ts'
import type { AppliedOperations, ApplyOptions, DocumentName, OperationResult } from './format.ts'
import type { LivePackage } from './opc/index.ts'
import type { RunOperation } from './operation-arguments.ts'
import type {
  LastWriters,
  OperationEditor,
  RunningOperation,
  TouchedThings,
} from './operation-editor.ts'
import { recalledBy, refusedAt, traceOf } from './operation-trace.ts'
import { Refusal, toFailure } from './refusal.ts'

/** A document held open as a package that is edited in place: edits are made on trees over the file's bytes. */
export abstract class LiveDocument<Editor extends OperationEditor> {
  /** What the changes of each operation read and wrote, by its key in the log. */
  readonly touched = new Map<string, TouchedThings>()
  readonly #package: LivePackage
  readonly #name: DocumentName
  readonly #run: RunOperation<Editor>
  readonly #writers: LastWriters = new Map()
  readonly #changes: Change[] = []

  constructor(own: LivePackage, name: DocumentName, run: RunOperation<Editor>) {
    this.#package = own
    this.#name = name
    this.#run = run
  }

  /** Why the file takes no edit at all. */
  protected abstract findRefusal(options: ApplyOptions): Result<never> | undefined

  protected abstract editorFor(running: RunningOperation): Editor

  changes(): readonly Change[] {
    return this.#changes
  }

  content(): Result<Content> {
    return this.#package.content()
  }

  apply(log: readonly LoggedOperation[], options: ApplyOptions = {}): Result<AppliedOperations> {
    return this.applyAccepted(log, options)
  }

  /** All or none: a refusal undoes whatever the operations before it did. */
  applyAccepted(
    log: readonly LoggedOperation[],
    options: ApplyOptions,
    accepts?: (id: ChangeId) => boolean,
  ): Result<AppliedOperations> {
    const refused = log.length > 0 ? this.findRefusal(options) : undefined
    if (refused) return refused
    const undo: (() => void)[] = []
    const results: OperationResult[] = []
    const changes: Change[] = []
    const warnings = new Set<string>()
    const traces: OperationTrace[] = []
    this.#package.record(undo)
    try {
      for (const [position, logged] of log.entries()) {
        const recalled = recalledBy(logged)
        const editor = this.editorFor({
          logged,
          name: this.#name,
          writers: this.#writers,
          undo,
          options,
          ...(accepts && { accepts }),
          ...(recalled && { recalled }),
        })
        try {
          results.push(this.#run(editor, logged.operation))
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          for (const step of undo.reverse()) step()
          const refused = toFailure(error, position, logged, error.meant)
          return options.replays ? refusedAt(refused, logged) : refused
        }
        traces.push(traceOf(logged, editor.found, accepts ? undefined : editor.changes))
        this.touched.set(keyOf(logged), editor.touched)
        for (const change of editor.changes) changes.push(change)
        for (const warning of editor.warnings) warnings.add(warning)
      }
    } finally {
      this.#package.record(undefined)
    }
    for (const change of changes) this.#changes.push(change)
    return ok({ results, changes, warnings: [...warnings], traces })
  }
}

/** Any edit breaks a signature. `noun`: what the file is, in words. */
export function refuseSigned(
  { isSigned }: Pick<LivePackage, 'isSigned'>,
  noun: string,
  { allowBreakSignature }: ApplyOptions,
): Result<never> | undefined {
  if (!isSigned || allowBreakSignature) return undefined
  return fail(
    'SIGNED',
    `Nothing was written: the ${noun} carries a digital signature, which any edit breaks. Ask the person, then send allow_break_signature: true.`,
  )
}
