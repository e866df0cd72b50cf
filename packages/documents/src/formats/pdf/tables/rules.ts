import type { Handle } from '../library/pdfium.ts'
import type { PageBox } from '../page/geometry.ts'
import type { PageView } from '../page/page-view.ts'

/** A straight line that the page draws. */
export interface RuledLine {
  readonly isLevel: boolean
  /** Its height on the page, or its distance from the left. */
  readonly at: number
  readonly from: number
  readonly to: number
}

const MOST_OBJECTS = 20_000
const MOST_RULES = 5_000
const THIN = 3 // points: a filled box that is no thicker is a line
const SHORT = 4 // points
const PATH = 2
const FORM = 5
const FORM_DEPTH = 3

/** Lines, and the sides of boxes. */
export function rulesOf(view: PageView): RuledLine[] {
  const { calls } = view.pdfium
  const rules: RuledLine[] = []
  const count = Math.min(calls.FPDFPage_CountObjects(view.page), MOST_OBJECTS)
  for (let index = 0; index < count && rules.length < MOST_RULES; index++)
    addObject(view, calls.FPDFPage_GetObject(view.page, index), rules, FORM_DEPTH)
  return rules
}

function addObject(view: PageView, object: Handle, rules: RuledLine[], depth: number): void {
  const { calls } = view.pdfium
  const type = calls.FPDFPageObj_GetType(object)
  if (type === PATH) addPath(view, object, rules)
  if (type !== FORM || depth === 0) return
  const count = Math.min(calls.FPDFFormObj_CountObjects(object), MOST_OBJECTS)
  for (let index = 0; index < count && rules.length < MOST_RULES; index++)
    addObject(view, calls.FPDFFormObj_GetObject(object, index), rules, depth - 1)
}

/** By its bounds: a path of many strokes is a drawing, not the frame of a cell. */
function addPath(view: PageView, object: Handle, rules: RuledLine[]): void {
  const { pdfium, toBox } = view
  const { calls } = pdfium
  const segments = calls.FPDFPath_CountSegments(object)
  if (segments < 2) return
  if (segments > 8) return addStrokes(view, object, segments, rules)
  const bounds = pdfium.floats(4, (left, bottom, right, top) =>
    calls.FPDFPageObj_GetBounds(object, left!, bottom!, right!, top!),
  )
  if (!bounds) return
  const [left, bottom, right, top] = bounds as [number, number, number, number]
  addBox(toBox(left, bottom, right, top), rules)
}

/** All sides of a box; one line where it is thin. A filled box is a background, and frames its text all the same. */
function addBox(box: PageBox, rules: RuledLine[]): void {
  const { left, top, right, bottom } = box
  const isThin = bottom - top <= THIN
  const isNarrow = right - left <= THIN
  const level = (at: number) => rules.push({ isLevel: true, at, from: left, to: right })
  const upright = (at: number) => rules.push({ isLevel: false, at, from: top, to: bottom })
  if (isThin && isNarrow) return
  if (isThin) level((top + bottom) / 2)
  else if (isNarrow) upright((left + right) / 2)
  else {
    level(top)
    level(bottom)
    upright(left)
    upright(right)
  }
}

const MOVE = 2
const LINE = 0
const MOST_SEGMENTS = 5_000

/** Many lines in one path, as a program draws a whole grid. */
function addStrokes(view: PageView, object: Handle, segments: number, rules: RuledLine[]): void {
  const { pdfium, toBox } = view
  const { calls } = pdfium
  const matrix = pdfium.floats(6, at => calls.FPDFPageObj_GetMatrix(object, at!)) ?? [
    1, 0, 0, 1, 0, 0,
  ]
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number]
  let last: readonly [number, number] | undefined
  for (let index = 0; index < Math.min(segments, MOST_SEGMENTS); index++) {
    const segment = calls.FPDFPath_GetPathSegment(object, index)
    const type = calls.FPDFPathSegment_GetType(segment)
    const point = pdfium.floats(2, (x, y) => calls.FPDFPathSegment_GetPoint(segment, x!, y!))
    if (!point) continue
    const [x, y] = point as [number, number]
    const here = [a * x + c * y + e, b * x + d * y + f] as const
    if (type === LINE && last) {
      const box = toBox(last[0], last[1], here[0], here[1])
      const isStraight = box.right - box.left <= 0.5 || box.bottom - box.top <= 0.5
      if (isStraight && Math.max(box.right - box.left, box.bottom - box.top) > SHORT)
        addBox(box, rules)
    }
    last = type === MOVE || type === LINE ? here : undefined
  }
}
