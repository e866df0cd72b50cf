import {
  type Change,
  type ChangeId,
  type ChangeSide,
  type Fields,
  type LoggedOperation,
  toChangeId,
} from '@filewright/protocol'
import { keyOf } from './draft-log.ts'
import type { ApplyOptions, DocumentName } from './format.ts'
import { inputOf } from './operation-inputs.ts'
import type { FoundPlaces } from './operation-trace.ts'

/** The last change of each thing, so that later changes know their dependencies. */
export type LastWriters = Map<string, ChangeId>

/** What an operation read and wrote, by the keys of its changes. */
export interface TouchedThings {
  readonly keys: ReadonlySet<string>
  readonly reads: ReadonlySet<string>
  /** Written by changes that left nothing. */
  readonly deleted: ReadonlySet<string>
}

export interface RunningOperation {
  readonly logged: LoggedOperation
  readonly name: DocumentName
  readonly writers: LastWriters
  readonly undo: (() => void)[]
  readonly options: ApplyOptions
  /** A replay makes only these changes. */
  readonly accepts?: (id: ChangeId) => boolean
  /** What the operation found when it was accepted. */
  readonly recalled?: FoundPlaces
  readonly notes?: readonly string[]
}

export interface RecordedChange {
  readonly kind: string
  readonly place: string
  /** What it reads and writes: it depends on earlier changes of these, and later ones depend on it. */
  readonly keys: readonly string[] | (() => readonly string[])
  /** What it only reads. */
  readonly reads?: readonly string[]
  readonly before: ChangeSide | null
  /** Asked after the change was made. */
  readonly after: () => ChangeSide | null
  readonly description?: string
  readonly atomic?: boolean
}

/** Asked after the change was made, where they are known only then. */
export function keysOf({ keys }: RecordedChange): readonly string[] {
  return typeof keys === 'function' ? keys() : keys
}

/** One running operation of an office format: what it found, changed and warned of, and how to undo it. */
export class OperationEditor {
  readonly operation: Fields
  readonly options: ApplyOptions
  readonly changes: Change[] = []
  readonly warnings: string[] = []
  readonly found: FoundPlaces = {}
  readonly touched = {
    keys: new Set<string>(),
    reads: new Set<string>(),
    deleted: new Set<string>(),
  } satisfies TouchedThings
  readonly #running: RunningOperation
  readonly #notes: string[]

  constructor(running: RunningOperation) {
    this.operation = running.logged.operation
    this.options = running.options
    this.#running = running
    this.#notes = [...(running.notes ?? [])]
  }

  get op(): string {
    return this.operation.op as string
  }

  /** The call that the operation belongs to, and its number in it. */
  get origin(): Pick<LoggedOperation, 'toolCallId' | 'index'> {
    return this.#running.logged
  }

  get circumstances(): LoggedOperation['circumstances'] {
    return this.#running.logged.circumstances
  }

  /** Changes that were refused are left out of a replay. */
  get isReplay(): boolean {
    return this.#running.accepts !== undefined || this.operation.kept !== undefined
  }

  /** Some changes were refused: what they made is not there, and what was done to it is left out. */
  get isPartial(): boolean {
    return this.#running.accepts !== undefined
  }

  /** Bytes of another file that the operation names. */
  input(name: string): Uint8Array | undefined {
    return inputOf(this.#running.logged, name, this.options.inputs)
  }

  /**
   * Looks something up once: the log keeps it, and every replay takes that, whatever it would find by then. What `find`
   * gives must be JSON and must hold ids, never positions.
   */
  resolve<Value>(key: string, find: () => Value): Value {
    const recalled = this.#running.recalled
    const value = recalled && Object.hasOwn(recalled, key) ? (recalled[key] as Value) : find()
    this.found[key] = value
    return value
  }

  /** Adds a note to every change in a review: it overrides a protection. */
  note(text: string): void {
    if (!this.#notes.includes(text)) this.#notes.push(text)
  }

  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text)
  }

  /** Whether the change at that place is wanted: a replay, and a log carried over to another file, leave some out. */
  accepts(place: string): boolean {
    const { kept } = this.operation
    if (Array.isArray(kept) && !kept.includes(place)) return false
    return this.#running.accepts?.(this.#idOf(place)) ?? true
  }

  /**
   * Makes a change and records it, unless a replay leaves it out. `make` returns false if there was nothing to do.
   */
  change(change: RecordedChange, make: () => boolean | undefined): boolean {
    const id = this.#idOf(change.place)
    if (!this.accepts(change.place)) return false
    if (make() === false) return false
    this.#record(id, change)
    return true
  }

  /** Changes that made or last changed these things. */
  writersOf(keys: readonly string[]): readonly ChangeId[] {
    return keys.flatMap(key => this.#running.writers.get(key) ?? [])
  }

  get key(): string {
    return keyOf(this.#running.logged)
  }

  #record(id: ChangeId, change: RecordedChange): void {
    const { kind, place, reads = [], before, after, description, atomic } = change
    const keys = keysOf(change)
    const { logged, name, writers, undo } = this.#running
    const dependsOn = new Set([...this.writersOf(keys), ...this.writersOf(reads)])
    dependsOn.delete(id)
    for (const key of keys) {
      const last = writers.get(key)
      undo.push(() => (last === undefined ? writers.delete(key) : writers.set(key, last)))
      writers.set(key, id)
    }
    const left = after()
    for (const key of keys) this.touched.keys.add(key)
    for (const key of reads) this.touched.reads.add(key)
    if (left === null) for (const key of keys) this.touched.deleted.add(key)
    const words = [...(description === undefined ? [] : [description]), ...this.#notes].join('; ')
    const earlier = this.changes.findIndex(own => own.id === id)
    const made: Change = {
      id,
      docPath: name.docPath,
      path: name.path,
      kind,
      place,
      before: earlier < 0 ? before : this.changes[earlier]!.before,
      after: left,
      operation: { toolCallId: logged.toolCallId, index: logged.index, op: logged.operation.op },
      dependsOn: [...dependsOn],
      ...(words !== '' && { description: words }),
      ...(atomic && { atomic }),
    }
    if (earlier < 0) this.changes.push(made)
    else this.changes[earlier] = { ...made, dependsOn: this.changes[earlier]!.dependsOn }
  }

  #idOf(place: string): ChangeId {
    return toChangeId(this.#running.logged.toolCallId, this.#running.logged.index, place)
  }
}
