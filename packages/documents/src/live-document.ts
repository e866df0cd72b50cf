import {
  type Change,
  type ChangeId,
  type Content,
  type Fields,
  fail,
  type LoggedOperation,
  ok,
  type Result,
} from '@filewright/protocol'
import { keyOf } from './draft-log.ts'
import type { AppliedOperations, ApplyOptions, DocumentName, OperationResult } from './format.ts'
import type { LivePackage } from './opc/index.ts'
import type {
  FoundPlaces,
  LastWriters,
  OperationEditor,
  RunningOperation,
  TouchedThings,
} from './operation-editor.ts'
import { handlerFor, Refusal, toFailure } from './refusal.ts'

type Handlers<Editor> = Readonly<
  Record<string, (editor: Editor, operation: Fields) => OperationResult>
>

/** A document held open as a package that is edited in place: edits are made on trees over the file's bytes. */
export abstract class LiveDocument<Editor extends OperationEditor> {
  /** What each operation found where it looked, by its key in the log. */
  readonly found = new Map<string, FoundPlaces>()
  /** What the changes of each operation read and wrote, by its key in the log. */
  readonly touched = new Map<string, TouchedThings>()
  readonly #package: LivePackage
  readonly #name: DocumentName
  readonly #handlers: Handlers<Editor>
  readonly #writers: LastWriters = new Map()
  readonly #changes: Change[] = []

  constructor(own: LivePackage, name: DocumentName, handlers: Handlers<Editor>) {
    this.#package = own
    this.#name = name
    this.#handlers = handlers
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
    full?: { readonly found: ReadonlyMap<string, FoundPlaces> },
  ): Result<AppliedOperations> {
    const refused = log.length > 0 ? this.findRefusal(options) : undefined
    if (refused) return refused
    const undo: (() => void)[] = []
    const results: OperationResult[] = []
    const changes: Change[] = []
    const warnings = new Set<string>()
    this.#package.record(undo)
    try {
      for (const [position, logged] of log.entries()) {
        const { found } = logged.operation
        const recalled = full?.found.get(keyOf(logged)) ?? (found as FoundPlaces | undefined)
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
          results.push(handlerFor(this.#handlers, logged.operation)(editor, logged.operation))
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          for (const step of undo.reverse()) step()
          return toFailure(error, position, logged, error.meant)
        }
        this.found.set(keyOf(logged), editor.found)
        this.touched.set(keyOf(logged), editor.touched)
        for (const change of editor.changes) changes.push(change)
        for (const warning of editor.warnings) warnings.add(warning)
      }
    } finally {
      this.#package.record(undefined)
    }
    for (const change of changes) this.#changes.push(change)
    return ok({ results, changes, warnings: [...warnings] })
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
