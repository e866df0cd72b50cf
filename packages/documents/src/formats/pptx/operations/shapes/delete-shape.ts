import { removeWithOwn } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { shapeOf, slideOf } from '../../edit/fields.ts'
import type { Slide } from '../../slide/deck.ts'
import type { Shape } from '../../slide/page.ts'
import { shapeLines } from '../../view/show.ts'

/** Deletes a shape, and the parts that only it needs: its chart, its picture. */
export function deleteShape(editor: DeckEditor, args: DeckArgs<'delete_shape'>) {
  const slide = slideOf(editor, args)
  const shape = shapeOf(editor, slide, args.shape)
  if (isAnimated(shape))
    throw new Refusal(
      'CONFLICT',
      `${shape.key} (${shape.name}) is animated on slide ${slide.index}, and the animation cannot lose it; empty its text, or ask the person to delete it`,
    )
  const ref = `@${slide.key}/${shape.key}`
  editor.change(
    {
      kind: 'shape',
      place: editor.deck.placeOf(ref),
      keys: [ref],
      reads: [`@${slide.key}`, `${ref} grid`, `${ref} looks`, `${ref} data`],
      before: { text: shapeLines(slide, shape).join('\n') },
      after: () => null,
      description: 'deleted',
      atomic: true,
    },
    () => {
      removeShape(slide, shape)
      return true
    },
  )
  return { op: 'delete_shape', message: `Deleted ${shape.name} from slide ${slide.index}.` }
}

/** The timing of a slide names shapes by their ids. */
function isAnimated({ page: { tree }, id }: Shape): boolean {
  const timing = tree.root.child('p:timing')
  if (!timing) return false
  return [...timing.all('p:spTgt')].some(node => tree.attribute(node, 'spid') === id)
}

function removeShape({ deck, page }: Slide, { node }: Shape): void {
  const { tree, part } = page
  const around = node.parent?.parent
  const isChoice = around?.name === 'mc:AlternateContent'
  const gone = isChoice ? around : node
  const links = linksIn(page.tree, gone)
  tree.remove(gone)
  const left = linksIn(tree, tree.root)
  for (const id of links) {
    if (left.has(id)) continue
    const link = deck.package.links(part).find(own => own.id === id)
    deck.package.removeLink(part, id)
    if (link && !link.isExternal && !isNeeded(deck.package, link.target))
      removeWithOwn(deck.package, link.target)
  }
}

/** Ids of relationships that an element and what it holds name. */
function linksIn(tree: Slide['page']['tree'], node: Shape['node']): Set<string> {
  const found = new Set<string>()
  const see = (own: Shape['node']) => {
    if (own.name === '') return
    for (const { name, value } of tree.attributesOf(own))
      if (name.startsWith('r:')) found.add(value)
    for (const child of own.children) see(child)
  }
  see(node)
  return found
}

function isNeeded(own: Slide['deck']['package'], target: string): boolean {
  return own.names.some(
    name => !/\.rels$/i.test(name) && own.links(name).some(link => link.target === target),
  )
}
