import {
  type Change,
  type ChangeId,
  type Content,
  GrowingList,
  type Slice,
  toBytes,
} from '@filewright/protocol'
import { decodeTextAs, type TextDocument } from '../decode/text.ts'
import { isClosedAnyway, renderWeave } from './render.ts'
import type { Edit } from './splice.ts'
import { openWeave, unwoven, type Weave, weaveEdits } from './weave.ts'

/** A change as a person sees it; its dependencies are determined when it is added. */
export type ShownChange = Omit<Change, 'dependsOn'>

/** Refused or accepted as one: a place of a divisible operation, or all places of an atomic one. */
interface Unit {
  /** Absent once the history is abridged, which keeps only their ids. */
  readonly changes?: readonly Change[]
  readonly ids?: readonly ChangeId[]
  /** Numbers of units. */
  readonly dependsOn: readonly number[]
}

/** The text between two full writes. Earlier text plays no part in it. */
interface Layer {
  readonly weave: Weave
  /** The unit of each edit in the weave. */
  readonly units: readonly number[]
  /** The unit that wrote it; undefined for the base. */
  readonly writtenBy?: number
  /** Units that decided its line ends, which it inherited from the earlier text. */
  readonly eolFrom: readonly number[]
}

/**
 * Every change made to the text since it was opened, in a form that gives the text without any of them. The operations
 * were checked on the text with all changes; refusing some needs no new search.
 */
export class History {
  readonly base: TextDocument
  /** The layers below the last. */
  readonly #below: GrowingList<Layer>
  readonly #lastLayer: Layer
  readonly #units: GrowingList<Unit>
  #current: TextDocument | undefined
  #bytesBelow = 0
  #isAbridged = false

  private constructor(
    base: TextDocument,
    below: GrowingList<Layer>,
    lastLayer: Layer,
    units: GrowingList<Unit>,
  ) {
    this.base = base
    this.#below = below
    this.#lastLayer = lastLayer
    this.#units = units
  }

  static open(base: TextDocument): History {
    const layer = { weave: openWeave(base), units: [], eolFrom: [] }
    return new History(base, GrowingList.of(), layer, GrowingList.of())
  }

  /** The text with every change. */
  get current(): TextDocument {
    this.#current ??= this.#toDocument()
    return this.#current
  }

  /** Edits of one operation; they refer to `current`. */
  withEdits(edits: readonly { readonly edit: Edit; readonly shown: ShownChange }[]): History {
    const layer = this.#lastLayer
    const weave = withTrueEnd(
      weaveEdits(
        layer.weave,
        edits.map(({ edit }) => edit),
      ),
    )
    const first = this.#units.length
    const units = [...layer.units, ...edits.map((_, i) => first + i)]
    const always = layer.writtenBy === undefined ? NONE : [layer.writtenBy]
    const added = edits.map(({ shown }, i) => {
      const needed = weave.edits[layer.units.length + i]!.dependsOn
      const dependsOn = needed.length === 0 ? always : [...always, ...needed.map(n => units[n]!)]
      return this.#toUnit([shown], dependsOn)
    })
    return this.#grown(this.#below, { ...layer, weave, units }, added)
  }

  /** Replaces the whole text; with `keepsEol` the line ends come from `current`. */
  withText(
    text: TextDocument,
    shown: readonly ShownChange[],
    { keepsEol }: { keepsEol: boolean },
  ): History {
    const number = this.#units.length
    const dependsOn = keepsEol ? this.#eolDeciders() : []
    const isKept = keepsEol && isCrlf(text) === isCrlf(this.current) // one line has no line end to keep
    const layer: Layer = {
      weave: openWeave(text),
      units: [],
      writtenBy: number,
      eolFrom: isKept ? dependsOn : [number],
    }
    const added = [this.#toUnit(shown, dependsOn)]
    const written = this.#grown(this.#below.with([this.#lastLayer]), layer, added)
    written.#current = text
    written.#bytesBelow += this.#lastLayer.weave.base.sizeBytes
    return written
  }

  #grown(below: GrowingList<Layer>, layer: Layer, added: readonly Unit[]): History {
    const grown = new History(this.base, below, layer, this.#units.with(added))
    grown.#bytesBelow = this.#bytesBelow
    grown.#isAbridged = this.#isAbridged
    return grown
  }

  /** Bytes of overwritten text, kept in case the later writes are refused. */
  get bytesBelow(): number {
    return this.#bytesBelow
  }

  /** The same text to continue with, without its earlier states: it no longer knows its changes. */
  abridged(): History {
    const units = this.#units.slice().map(unit => ({
      ids: idsOf(unit),
      dependsOn: unit.dependsOn,
    }))
    const last = new History(this.base, GrowingList.of(), this.#lastLayer, GrowingList.of(units))
    last.#current = this.#current
    last.#isAbridged = true
    return last
  }

  get isAbridged(): boolean {
    return this.#isAbridged
  }

  changes(): Change[] {
    return changesOf(this.#units.slice())
  }

  /** The changes added since `earlier`; costs nothing for the older ones. */
  changesSince(earlier: History): Change[] {
    return changesOf(this.#units.slice(earlier.#units.length))
  }

  /** Whether each unit is left when some changes and their dependants go. */
  #acceptedWithout(refused: ReadonlySet<ChangeId>): readonly boolean[] {
    const accepted: boolean[] = []
    for (const unit of this.#units)
      accepted.push(
        !idsOf(unit).some(id => refused.has(id)) && unit.dependsOn.every(n => accepted[n]),
      )
    return accepted
  }

  /** The same history, as if some changes and their dependants had never been made. */
  withdrawn(ids: ReadonlySet<ChangeId>): History {
    const accepted = this.#acceptedWithout(ids)
    const layers = [...this.#below, this.#lastLayer]
      .filter(({ writtenBy }) => writtenBy === undefined || accepted[writtenBy])
      .map(layer => ({
        ...layer,
        weave: unwoven(layer.weave, edit => accepted[layer.units[edit]!]!),
      }))
    const units = this.#units.slice().map((unit, n) => (accepted[n] ? unit : WITHDRAWN))
    const below = GrowingList.of(layers.slice(0, -1))
    const left = new History(this.base, below, layers.at(-1)!, GrowingList.of(units))
    left.#bytesBelow = this.#bytesBelow
    left.#isAbridged = this.#isAbridged
    return left
  }

  /** The text without the refused changes and their dependants. */
  without(refused: ReadonlySet<ChangeId>) {
    const accepted = this.#acceptedWithout(refused)
    const units = this.#units.slice()
    const dropped = units
      .filter((_, number) => !accepted[number])
      .flatMap(unit => idsOf(unit).filter(id => !refused.has(id)))
    return {
      content: this.#render(number => accepted[number]!).content,
      changes: changesOf(units.filter((_, number) => accepted[number])),
      dropped,
    }
  }

  /** Slices of the base. */
  content(): Content {
    return this.#render(() => true).content
  }

  #toUnit(shown: readonly ShownChange[], dependsOn: readonly number[]): Unit {
    const ids =
      dependsOn.length === 0
        ? NO_IDS
        : [...new Set(dependsOn)].flatMap(number => idsOf(this.#units.at(number)!))
    return { changes: shown.map(change => ({ dependsOn: ids, ...change })), dependsOn }
  }

  #render(isAccepted: (unit: number) => boolean): { content: Content; bom: boolean; layer: Layer } {
    const layer = this.#findLayer(isAccepted)
    const { content, bom } =
      layer.weave.edits.length === 0
        ? untouched(layer.weave.base)
        : renderWeave(layer.weave, edit => isAccepted(layer.units[edit]!))
    if (layer.writtenBy === undefined) return { content, bom, layer }
    return { content: content.map(slice => toInline(slice, layer.weave.base.bytes)), bom, layer }
  }

  /** The last layer that was not written by a refused change. */
  #findLayer(isAccepted: (unit: number) => boolean): Layer {
    let layer = this.#lastLayer
    for (let below = this.#below.length - 1; !stands(layer); below--) layer = this.#below.at(below)!
    return layer

    function stands({ writtenBy }: Layer): boolean {
      return writtenBy === undefined || isAccepted(writtenBy)
    }
  }

  #toDocument(): TextDocument {
    const { content, bom, layer } = this.#render(() => true)
    const [only] = content
    const { bytes, encoding } = layer.weave.base
    if (content.length === 0)
      return decodeTextAs(new Uint8Array(), { label: encoding, bomLength: 0 })
    const isBase =
      only?.from === 'base' && content.length === 1 && only.end - only.start === bytes.length
    if (isBase) return layer.weave.base
    const joined = toBytes(content, this.base.bytes)
    const bomLength = bom ? layer.weave.base.bomLength || bomLengthOf(encoding) : 0
    return decodeTextAs(joined, { label: encoding, bomLength })
  }

  /** The units that determined the line ends. */
  #eolDeciders(): number[] {
    const { weave, units, eolFrom } = this.#lastLayer
    const last = weave.edits.findLastIndex(({ settings }) => settings.eol !== undefined)
    if (last !== -1) return [units[last]!]
    const isAsWritten = isCrlf(this.current) === isCrlf(weave.base)
    return isAsWritten ? [...eolFrom] : [...eolFrom, ...units] // edits removed the last CRLF, or the last LF next to it
  }
}

/** Hundreds of thousands of changes may have no dependency; they share this set. */
const NONE: readonly number[] = []
const NO_IDS: readonly ChangeId[] = []
/** Keeps the numbers of the units after it. */
const WITHDRAWN: Unit = { changes: [], ids: NO_IDS, dependsOn: NONE }

function idsOf({ ids, changes }: Unit): readonly ChangeId[] {
  return ids ?? changes!.map(({ id }) => id)
}

function changesOf(units: readonly Unit[]): Change[] {
  const all: Change[] = []
  for (const { changes } of units) {
    if (!changes) throw new Error('An abridged history no longer has its changes')
    for (const change of changes) all.push(change)
  }
  return all
}

/** The properties that a full write depends on. */
function isCrlf({ eol }: TextDocument): boolean {
  return eol === 'crlf'
}

function untouched({ sizeBytes, bom }: TextDocument): { content: Content; bom: boolean } {
  return { content: sizeBytes === 0 ? [] : [{ from: 'base', start: 0, end: sizeBytes }], bom }
}

function withTrueEnd(weave: Weave): Weave {
  const operation = weave.edits.at(-1)?.operation
  if (operation === undefined || !isClosedAnyway(weave)) return weave
  return { ...weave, emptyEnds: [...weave.emptyEnds, operation] }
}

function toInline(slice: Slice, bytes: Uint8Array): Slice {
  return slice.from === 'inline'
    ? slice
    : { from: 'inline', bytes: bytes.subarray(slice.start, slice.end) }
}

function bomLengthOf(encoding: string): number {
  return encoding === 'utf-8' ? 3 : 2
}
