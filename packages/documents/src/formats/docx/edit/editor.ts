import {
  type Change,
  type ChangeId,
  type ChangeSide,
  type Fields,
  type LoggedOperation,
  toChangeId,
} from '@filewright/protocol'
import { keyOf } from '../../../draft-log.ts'
import type { ApplyOptions, DocumentName, OperationResult } from '../../../format.ts'
import type { LiveNode } from '../../../opc/index.ts'
import { inputOf } from '../../../operation-inputs.ts'
import { Refusal } from '../../../refusal.ts'
import { renderForm } from '../story/form.ts'
import type { ParagraphSpot } from '../story/index-story.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { newIdOf, placeOf } from '../story/places.ts'
import type { Paragraph, Story } from '../story/story.ts'
import { refuseUnlessEditable } from './guards.ts'
import type { Tracking } from './tracking.ts'

/** The last change of each thing, so that later changes know their dependencies. */
export type LastWriters = Map<string, ChangeId>

/** What an operation found where it looked, by the name of the look-up: ids of paragraphs and the like. JSON only. */
export type FoundPlaces = Record<string, unknown>

export interface EditorFields {
  readonly manuscript: Manuscript
  readonly logged: LoggedOperation
  readonly name: DocumentName
  readonly writers: LastWriters
  readonly undo: (() => void)[]
  readonly options: ApplyOptions
  /** A replay makes only these changes. */
  readonly accepts?: (id: ChangeId) => boolean
  /** What the operation found when the whole log was applied. */
  readonly recalled?: FoundPlaces
  readonly notes?: readonly string[]
  readonly tracking?: Tracking
}

export interface RecordedChange {
  readonly kind: string
  readonly place: string
  /** What it reads and writes: it depends on earlier changes of these, and later ones depend on it. */
  readonly keys: readonly string[]
  /** What it only reads. */
  readonly reads?: readonly string[]
  readonly before: ChangeSide | null
  /** Asked after the change was made. */
  readonly after: () => ChangeSide | null
  readonly description?: string
  readonly atomic?: boolean
}

/** One running operation: what it may read and change, and how to undo it. */
export class DocumentEditor {
  readonly manuscript: Manuscript
  readonly operation: Fields
  readonly options: ApplyOptions
  readonly changes: Change[] = []
  readonly warnings: string[] = []
  readonly found: FoundPlaces = {}
  readonly #fields: EditorFields
  readonly #notes: string[]
  #made = 0
  #tracking: Tracking | undefined

  constructor(fields: EditorFields) {
    this.manuscript = fields.manuscript
    this.operation = fields.logged.operation
    this.options = fields.options
    this.#fields = fields
    this.#tracking = fields.tracking
    this.#notes = [...(fields.notes ?? [])]
  }

  /** Set where edits become tracked changes. */
  get tracking(): Tracking | undefined {
    return this.#tracking
  }

  /** For an operation whose edits are tracked whatever the document says. */
  beTracked(tracking: Tracking | undefined): void {
    this.#tracking = tracking
  }

  get logged(): LoggedOperation {
    return this.#fields.logged
  }

  /** For what has no form as a tracked change: refused where tracking is demanded, else done with a warning. */
  untracked(what: string): void {
    const { tracking } = this
    if (tracking?.isDemanded && !this.options.allowProtected)
      throw new Refusal(
        'PROTECTED',
        `${what} has no form as a tracked change, and the document allows nothing else; ask the person, then send allow_protected: true`,
      )
    if (tracking) this.warn(`${what} has no form as a tracked change, so it was done directly.`)
  }

  get circumstances(): LoggedOperation['circumstances'] {
    return this.#fields.logged.circumstances
  }

  /** Changes that were refused are left out of a replay. */
  get isReplay(): boolean {
    return this.#fields.accepts !== undefined || this.operation.kept !== undefined
  }

  /** Bytes of another file that the operation names. */
  input(name: string): Uint8Array | undefined {
    return inputOf(this.#fields.logged, name, this.options.inputs)
  }

  /**
   * Looks something up once: a replay, and a draft that follows its file, take what was found the first time. What
   * `find` gives must be JSON and must hold ids, never positions.
   */
  resolve<Value>(key: string, find: () => Value): Value {
    const recalled = this.#fields.recalled
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
    return this.#fields.accepts?.(this.#idOf(place)) ?? true
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

  /**
   * Edits a paragraph. `edit` gets the paragraph, and then its twin where a text box has two forms; it returns false if
   * there was nothing to do.
   */
  editParagraph(
    paragraph: Paragraph,
    edit: (spot: ParagraphSpot) => boolean | undefined,
    more: {
      readonly kind?: string
      readonly description?: string
      readonly reads?: readonly string[]
      readonly side?: () => ChangeSide
    } = {},
  ): boolean {
    const side = more.side ?? (() => this.sideOf(paragraph))
    const place = placeOf(paragraph.id)
    if (!this.accepts(place)) return false
    refuseUnlessEditable(this, paragraph)
    const { side: _, kind = 'paragraph', ...rest } = more
    return this.change(
      { ...rest, kind, place, keys: [paragraph.id], before: side(), after: side },
      () => {
        if (edit(paragraph) === false) return false
        const twin = paragraph.story.index.twins.get(paragraph.node)
        if (twin) edit({ ...paragraph, node: twin })
        return true
      },
    )
  }

  /** One side of a paragraph's change. */
  sideOf(spot: ParagraphSpot & { readonly story: Story }): ChangeSide {
    return { text: renderForm(this.manuscript.package, spot.story, spot) }
  }

  /** The id of the next paragraph or table that this operation makes; the same in every replay. */
  newId(): string {
    const { toolCallId, index } = this.#fields.logged
    return newIdOf(toolCallId, index, this.#made++)
  }

  /** Gives ids to all new paragraphs and tables in a node that is about to be inserted. */
  adopt(story: Story, node: LiveNode): void {
    for (const name of ['w:p', 'w:tbl'])
      for (const own of node.name === name ? [node, ...node.all(name)] : node.all(name))
        if (story.idOf(own) === undefined) story.assign(own, this.newId())
  }

  /** Changes that made or last changed these things. */
  writersOf(keys: readonly string[]): readonly ChangeId[] {
    return keys.flatMap(key => this.#fields.writers.get(key) ?? [])
  }

  get key(): string {
    return keyOf(this.#fields.logged)
  }

  #record(id: ChangeId, change: RecordedChange): void {
    const { kind, place, keys, reads = [], before, after, description, atomic } = change
    const { logged, name, writers, undo } = this.#fields
    const dependsOn = new Set([...this.writersOf(keys), ...this.writersOf(reads)])
    dependsOn.delete(id)
    for (const key of keys) {
      const last = writers.get(key)
      undo.push(() => (last === undefined ? writers.delete(key) : writers.set(key, last)))
      writers.set(key, id)
    }
    const words = [...(description === undefined ? [] : [description]), ...this.#notes].join('; ')
    const earlier = this.changes.findIndex(own => own.id === id)
    const made: Change = {
      id,
      docPath: name.docPath,
      path: name.path,
      kind,
      place,
      before: earlier < 0 ? before : this.changes[earlier]!.before,
      after: after(),
      operation: { toolCallId: logged.toolCallId, index: logged.index, op: logged.operation.op },
      dependsOn: [...dependsOn],
      ...(words !== '' && { description: words }),
      ...(atomic && { atomic }),
    }
    if (earlier < 0) this.changes.push(made)
    else this.changes[earlier] = { ...made, dependsOn: this.changes[earlier]!.dependsOn }
  }

  #idOf(place: string): ChangeId {
    return toChangeId(this.#fields.logged.toolCallId, this.#fields.logged.index, place)
  }
}

export type DocumentHandler = (editor: DocumentEditor, operation: Fields) => OperationResult

/** An argument that is missing or wrong. */
export function invalid(message: string, details?: Record<string, unknown>): Refusal {
  return new Refusal('INVALID_ARGUMENT', message, details)
}
