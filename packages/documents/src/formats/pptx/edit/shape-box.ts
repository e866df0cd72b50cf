import type { LiveNode } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import { type Shape, type ShapeBox, transformOf } from '../slide/page.ts'

/** Writes where a shape is; one that took its place from the layout gets one of its own. */
export function setBox(shape: Shape, box: ShapeBox): void {
  const { tree } = shape.page
  const transform = transformOf(shape.node) ?? addTransform(shape)
  const set = (name: string, values: Readonly<Record<string, number>>) => {
    let node = transform.child(name)
    if (!node) {
      node = tree.fragment(`<${name}/>`)[0]!
      tree.insert(transform, name === 'a:off' ? 0 : 1, [node])
    }
    for (const [attribute, value] of Object.entries(values))
      tree.setAttribute(node, attribute, String(Math.round(value)))
  }
  set('a:off', { x: box.left, y: box.top })
  set('a:ext', { cx: box.width, cy: box.height })
}

function addTransform(shape: Shape): LiveNode {
  const { tree } = shape.page
  if (shape.node.name === 'p:graphicFrame') {
    const [made] = tree.fragment('<p:xfrm/>')
    tree.after(shape.node.child('p:nvGraphicFramePr')!, [made!])
    return made!
  }
  const properties = shape.node.child('p:spPr')
  if (!properties)
    throw new Refusal('CONFLICT', `${shape.key} (${shape.name}) has no place that could be set`)
  const [made] = tree.fragment('<a:xfrm/>')
  tree.insert(properties, 0, [made!])
  return made!
}
