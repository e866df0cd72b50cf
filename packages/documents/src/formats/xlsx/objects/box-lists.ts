import type { Box } from '@filewright/protocol'
import { intersects, parseBox, refName } from '../cell/address.ts'

/** `B2:B9 D4`, as files write several ranges. */
export function parseBoxes(text: string): Box[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap(part => parseBox(part) ?? [])
}

export function boxesText(boxes: readonly Box[]): string {
  return boxes.map(refName).join(' ')
}

/** What is left of boxes without these cells. */
export function withoutBoxes(boxes: readonly Box[], gone: readonly Box[]): Box[] {
  return gone.reduce<Box[]>((left, cut) => left.flatMap(box => without(box, cut)), [...boxes])
}

function without(box: Box, cut: Box): Box[] {
  if (!intersects(box, cut)) return [box]
  const top = Math.max(box.top, cut.top)
  const bottom = Math.min(box.bottom, cut.bottom)
  return [
    ...(cut.top > box.top ? [{ ...box, bottom: cut.top - 1 }] : []),
    ...(cut.left > box.left ? [{ ...box, top, bottom, right: cut.left - 1 }] : []),
    ...(cut.right < box.right ? [{ ...box, top, bottom, left: cut.right + 1 }] : []),
    ...(cut.bottom < box.bottom ? [{ ...box, top: cut.bottom + 1 }] : []),
  ]
}

export function touchesAny(boxes: readonly Box[], others: readonly Box[]): boolean {
  return boxes.some(box => others.some(other => intersects(box, other)))
}
