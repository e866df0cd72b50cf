import { numberAt } from '../../../opc/index.ts'
import type { Deck } from './deck.ts'
import { boxOf } from './inherit.ts'
import { ownBox, type Shape, type ShapeBox, transformOf } from './page.ts'

/** Where a shape is on the slide. What stands in a group has a place of that group, which may be shown at another size. */
export function placeOnSlide(deck: Deck, shape: Shape): ShapeBox | undefined {
  const box = boxOf(deck, shape)
  return box && groupsOf(shape).reduce((own, group) => mapped(own, innerBox(group), ownBox(group)), box) // biome-ignore format: one line
}

/** The place in its group of a shape that is to stand there on the slide. */
export function placeInGroup(shape: Shape, box: ShapeBox): ShapeBox {
  return groupsOf(shape).reduceRight((own, group) => mapped(own, ownBox(group), innerBox(group)), box) // biome-ignore format: one line
}

/** The groups around a shape, the nearest first. */
function groupsOf({ group }: Shape): readonly Shape[] {
  return group ? [group, ...groupsOf(group)] : []
}

/** The part of the group's own space that fills its box. */
function innerBox({ page: { tree }, node }: Shape): ShapeBox | undefined {
  const transform = transformOf(node)
  const [offset, extent] = [transform?.child('a:chOff'), transform?.child('a:chExt')]
  const left = numberAt(tree, offset, 'x')
  const top = numberAt(tree, offset, 'y')
  const width = numberAt(tree, extent, 'cx')
  const height = numberAt(tree, extent, 'cy')
  if (left === undefined || top === undefined || !width || !height) return undefined
  return { left, top, width, height }
}

function mapped(box: ShapeBox, from: ShapeBox | undefined, to: ShapeBox | undefined): ShapeBox {
  if (!from?.width || !from.height || !to?.width || !to.height) return box
  const [wide, high] = [to.width / from.width, to.height / from.height]
  return {
    left: to.left + (box.left - from.left) * wide,
    top: to.top + (box.top - from.top) * high,
    width: box.width * wide,
    height: box.height * high,
  }
}
