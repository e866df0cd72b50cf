import { at, type LiveNode, type LiveTree, numberAt } from '../../../opc/index.ts'
import { flagAt } from '../parts/values.ts'
import type { Deck } from './deck.ts'
import { ancestorsOf, isTitle } from './inherit.ts'
import type { Shape, ShapePage } from './page.ts'

/** A value, and what gave it: the text itself, the shape, the layout, the master or the deck. */
export interface Inherited<Value> {
  readonly value: Value
  readonly from: string
}

export interface Look {
  /** Points. */
  readonly size: Inherited<number>
  readonly font: Inherited<string>
  readonly isBold: Inherited<boolean>
  /** Six digits, or the name of a colour of the theme. */
  readonly color: Inherited<string> | undefined
}

/** Properties of a level of paragraphs, with the place they are written in. */
export interface LevelStyle {
  readonly tree: LiveTree
  readonly node: LiveNode
  readonly from: string
}

const DEFAULT_SIZE = 18 // points, where no part of a deck gives one

/** What applies to a paragraph of a shape, nearest first. */
export function stylesFor(
  deck: Deck,
  shape: Shape,
  paragraph: LiveNode | undefined,
  level: number,
): readonly LevelStyle[] {
  const { tree } = shape.page
  const name = `a:lvl${Math.min(level, 8) + 1}pPr`
  const found: LevelStyle[] = []
  const add = (own: LiveTree, node: LiveNode | undefined, from: string) => {
    if (node) found.push({ tree: own, node, from })
  }
  add(tree, paragraph?.child('a:pPr'), 'paragraph')
  add(tree, at(shape.body, 'a:lstStyle', name), 'shape')
  const [layout, master] = layersOf(deck, shape)
  if (layout) add(layout.page.tree, at(layout.body, 'a:lstStyle', name), 'layout')
  if (master) add(master.page.tree, at(master.body, 'a:lstStyle', name), 'master')
  const page = deck.layoutOf(shape.page)?.master
  if (page) add(page.tree, at(page.tree.root, 'p:txStyles', styleName(shape), name), 'master')
  const { main } = deck.package
  add(main, at(main.root, 'p:defaultTextStyle', name), 'deck')
  return found
}

function layersOf(deck: Deck, shape: Shape): readonly (Shape | undefined)[] {
  if (!shape.placeholder) return []
  const all = ancestorsOf(deck, shape)
  const layout = deck.layoutOf(shape.page)?.page
  return [all.find(({ page }) => page === layout), all.find(({ page }) => page !== layout)]
}

function styleName(shape: Shape): string {
  if (isTitle(shape)) return 'p:titleStyle'
  return shape.placeholder ? 'p:bodyStyle' : 'p:otherStyle'
}

/** How text looks; `properties` are those of its run. */
export function lookOf(
  deck: Deck,
  shape: Shape,
  paragraph: LiveNode | undefined,
  properties: LiveNode | undefined,
  level: number,
): Look {
  const styles = stylesFor(deck, shape, paragraph, level)
  const layers: LevelStyle[] = [
    ...(properties ? [{ tree: shape.page.tree, node: properties, from: 'text' }] : []),
    ...styles.flatMap(({ tree, node, from }) => {
      const look = node.child('a:defRPr')
      return look ? [{ tree, node: look, from }] : []
    }),
  ]
  const theme = themeOf(deck, shape.page)
  const first = <Value>(read: (layer: LevelStyle) => Value | undefined) => {
    for (const layer of layers) {
      const value = read(layer)
      if (value !== undefined) return { value, from: layer.from }
    }
    return undefined
  }
  return {
    size: first(({ tree, node }) => {
      const size = numberAt(tree, node, 'sz')
      return size === undefined ? undefined : size / 100
    }) ?? { value: DEFAULT_SIZE, from: 'default' },
    font: first(({ tree, node }) => {
      const face = tree.attribute(node.child('a:latin'), 'typeface')
      return face === undefined ? undefined : themeFont(theme, face)
    }) ?? { value: themeFont(theme, '+mn-lt'), from: 'theme' },
    isBold: first(({ tree, node }) => flagAt(tree, node, 'b')) ?? { value: false, from: 'default' },
    color: first(({ tree, node }) => colorOf(tree, node.child('a:solidFill'))),
  }
}

function colorOf(tree: LiveTree, fill: LiveNode | undefined): string | undefined {
  const rgb = tree.attribute(fill?.child('a:srgbClr'), 'val')
  return rgb ?? tree.attribute(fill?.child('a:schemeClr'), 'val')
}

/** The theme of the master behind a page. */
export function themeOf(deck: Deck, page: ShapePage): LiveTree | undefined {
  const master =
    deck.layoutOf(page)?.master ??
    deck.page(deck.package.linkedFrom(page.part, 'slideMaster')) ??
    page
  return deck.package.findTree(deck.package.linkedFrom(master.part, 'theme'))
}

function themeFont(theme: LiveTree | undefined, face: string): string {
  const [, kind, script] = /^\+(mj|mn)-(lt|ea|cs)$/.exec(face) ?? []
  if (kind === undefined || !theme) return face
  const group = kind === 'mj' ? 'a:majorFont' : 'a:minorFont'
  const fonts = at(theme.root, 'a:themeElements', 'a:fontScheme', group)
  const element = script === 'lt' ? 'a:latin' : script === 'ea' ? 'a:ea' : 'a:cs'
  return theme.attribute(fonts?.child(element), 'typeface') ?? face
}
