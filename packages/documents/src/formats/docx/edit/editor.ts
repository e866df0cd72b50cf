import type { ChangeSide } from '@filewright/protocol'
import type { LiveNode } from '../../../opc/index.ts'
import {
  keysOf,
  OperationEditor,
  type RecordedChange,
  type RunningOperation,
} from '../../../operation-editor.ts'
import { Refusal } from '../../../refusal.ts'
import { renderForm } from '../story/form.ts'
import type { ParagraphSpot } from '../story/index-story.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { newIdOf, paragraphById, placeOf } from '../story/places.ts'
import type { Paragraph, Story } from '../story/story.ts'
import { refuseUnlessEditable } from './guards.ts'
import type { Tracking } from './tracking.ts'
import { TwinBoxes } from './twin-boxes.ts'

export interface EditorFields extends RunningOperation {
  readonly manuscript: Manuscript
  readonly tracking?: Tracking
}

/** One running operation: what it may read and change, and how to undo it. */
export class DocumentEditor extends OperationEditor {
  readonly manuscript: Manuscript
  #tracking: Tracking | undefined
  #made = 0
  #boxes: TwinBoxes | undefined
  /** The change that is being made: the ids that it gave, and how many of them. */
  #inside: { readonly place: string; readonly ids: string[] } | undefined

  constructor(fields: EditorFields) {
    super(fields)
    this.manuscript = fields.manuscript
    this.#tracking = fields.tracking
  }

  /** Set where edits become tracked changes. */
  get tracking(): Tracking | undefined {
    return this.#tracking
  }

  /** For an operation that changes both forms of a text box itself. */
  seesBothForms(): void {
    this.#boxes = TwinBoxes.none
  }

  /** For an operation whose edits are tracked whatever the document says. */
  beTracked(tracking: Tracking | undefined): void {
    this.#tracking = tracking
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
        const twin = paragraph.story.twinOf(paragraph.node)
        if (twin) edit({ ...paragraph, node: twin })
        return true
      },
    )
  }

  /** Undefined where a replay leaves out the change of that paragraph, or has deleted it: without the changes that it leaves out, more may go. */
  paragraphToEdit(id: string): Paragraph | undefined {
    if (!this.accepts(placeOf(id))) return undefined
    if (this.isPartial && !this.manuscript.stories.some(story => story.paragraph(id)))
      return undefined
    return paragraphById(this.manuscript, id)
  }

  /** One side of a paragraph's change. */
  sideOf(spot: ParagraphSpot & { readonly story: Story }): ChangeSide {
    return { text: renderForm(this.manuscript.package, spot.story, spot) }
  }

  /** Later changes of what a change makes depend on it. */
  override change(change: RecordedChange, make: () => boolean | undefined): boolean {
    const outer = this.#inside
    const ids: string[] = []
    const whole = { ...change, keys: () => [...keysOf(change), ...ids] }
    return super.change(whole, () => {
      this.#inside = { place: change.place, ids }
      try {
        return this.#inBothForms(change, make)
      } finally {
        this.#inside = outer
      }
    })
  }

  #inBothForms(change: RecordedChange, make: () => boolean | undefined): boolean | undefined {
    this.#boxes ??= new TwinBoxes(this.manuscript)
    const { keys, reads = [] } = change
    const named = [...(typeof keys === 'function' ? [] : keys), ...reads]
    const result = this.#boxes.during(named, make)
    if (result !== false) this.#boxes.add(keysOf(change), named)
    return result
  }

  /**
   * The id of the next paragraph or table that this operation makes; the same in every replay. What stands inside a new
   * block is numbered within it, so that a block that is left out moves no other id.
   */
  newId(): string {
    const { toolCallId, index } = this.origin
    const inside = this.#inside
    const isNew = inside?.place.startsWith('new ')
    const id = isNew
      ? newIdOf(toolCallId, index, `${inside!.place} ${inside!.ids.length}`)
      : newIdOf(toolCallId, index, this.#made++)
    inside?.ids.push(id)
    return id
  }

  /** Gives ids to all new paragraphs and tables in a node that is about to be inserted. */
  adopt(story: Story, node: LiveNode): void {
    for (const name of ['w:p', 'w:tbl'])
      for (const own of node.name === name ? [node, ...node.all(name)] : node.all(name))
        if (story.idOf(own) === undefined) story.assign(own, this.newId())
  }
}

/** An argument that is missing or wrong. */
export function invalid(message: string, details?: Record<string, unknown>): Refusal {
  return new Refusal('INVALID_ARGUMENT', message, details)
}
