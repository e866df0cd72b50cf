import type { LiveNode } from '../../../opc/index.ts'
import { EMU } from '../parts/values.ts'
import type { Slide } from '../slide/deck.ts'
import { fitOf } from '../slide/fit.ts'
import { ancestorsOf } from '../slide/inherit.ts'
import { ownBox, type Shape } from '../slide/page.ts'
import type { DeckEditor } from './editor.ts'
import { setBox } from './shape-box.ts'

const SLACK = 1.04 // a measure of text is never exact
const READABLE = 60 // percent: text that is shrunk more is hard to read from afar
const INSETS = 7.2 // points above and below
/** The steps in which PowerPoint shrinks text: size, and how much lines come closer. */
const STEPS: readonly (readonly [size: number, lines: number])[] = [
  [100, 0],
  [100, 10],
  [92.5, 10],
  [92.5, 20],
  [85, 20],
  [77.5, 20],
  [70, 20],
  [62.5, 20],
  [55, 20],
  [47.5, 20],
  [40, 20],
  [32.5, 20],
  [25, 20],
]

/** After text was set: rewrites a stored scale, resizes a box that grows with its text, or warns. */
export function settleFit(editor: DeckEditor, slide: Slide, key: string): void {
  const shape = slide.page.shape(key)
  const fit = shape && fitOf(editor.deck, shape)
  if (!shape?.body || !fit) return
  const properties = shape.body.child('a:bodyPr')
  if (properties?.child('a:spAutoFit')) return grow(shape, fit.needed)
  const shrink = properties?.child('a:normAutofit')
  const isStored = (name: string) => !!shrink && !!shape.page.tree.attribute(shrink, name)
  if (shrink && (isStored('fontScale') || isStored('lnSpcReduction'))) {
    const step = STEPS.find(([size, lines]) => fits(editor, shape, size, lines))
    if (step) {
      rescale(shape, shrink, step)
      if (step[0] < READABLE)
        editor.warn(
          `The text of ${shape.name} on slide ${slide.index} is shown at ${step[0]} % of its size to fit its box; shorten it, or make the box larger with move_shape.`,
        )
      return
    }
  }
  if (fit.needed > fit.available * SLACK) warn(editor, slide, shape, fit.needed / fit.available)
}

function fits({ deck }: DeckEditor, shape: Shape, size: number, lines: number): boolean {
  const fit = fitOf(deck, shape, size / 100, 1 - lines / 100)
  return fit !== undefined && fit.needed <= fit.available
}

function rescale(
  { page: { tree } }: Shape,
  node: LiveNode,
  [size, lines]: readonly [number, number],
): void {
  const set = (name: string, value: number, none: number) =>
    tree.setAttribute(node, name, value === none ? undefined : String(value * 1000))
  set('fontScale', size, 100)
  set('lnSpcReduction', lines, 0)
}

function grow(shape: Shape, needed: number): void {
  const box = ownBox(shape)
  if (!box || shape.group) return
  const height = Math.round((needed + INSETS) * EMU)
  const differs = Math.abs(height - box.height) > box.height * (SLACK - 1)
  if (differs) setBox(shape, { ...box, height })
}

function warn(editor: DeckEditor, slide: Slide, shape: Shape, ratio: number): void {
  const shrinks = [shape, ...ancestorsOf(editor.deck, shape)].some(own =>
    own.body?.child('a:bodyPr')?.child('a:normAutofit'),
  )
  const percent = Math.round((ratio - 1) * 100)
  editor.warn(
    `The text of ${shape.name} on slide ${slide.index} likely needs ${percent} % more room than its box has${shrinks ? ', and will be shrunk or run over' : ''}; shorten it, or make the box larger with move_shape.`,
  )
}
