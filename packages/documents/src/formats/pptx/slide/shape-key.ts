import { chartOf } from './chart.ts'
import type { Deck, Slide } from './deck.ts'
import { diagramTexts } from './diagram.ts'
import type { Shape, ShapePage } from './page.ts'

/** What programs write anew at every save: it means nothing. */
function isNoise(name: string): boolean {
  return /^(dirty|err|smtClean|smtId|p14:modId|p14:creationId|a:extLst|p:extLst|r:id|r:embed|r:link|r:dm|r:lo|r:qs|r:cs|lang|altLang)$/.test(
    name,
  )
}

/** Equal for shapes that mean the same in two files: their XML, what they link to, and the data that they show. */
export function shapeKey({ deck }: Slide, shape: Shape): string {
  return `${shape.page.tree.xmlOf(shape.node, isNoise)} ${linkedKey(deck, shape)}`
}

function linkedKey(deck: Deck, shape: Shape): string {
  const chart = chartOf(deck, shape)
  if (chart) return chart.tree.xmlOf(chart.tree.root, isNoise)
  const texts = diagramTexts(deck, shape)
  if (texts.length > 0) return texts.join('\n')
  return linksOf(deck, shape).join(' ')
}

/** Addresses, and pictures by their size: a picture that was replaced differs in it. */
function linksOf(deck: Deck, { page, node }: Shape): readonly string[] {
  const links = deck.package.links(page.part)
  const found: string[] = []
  const see = (own: typeof node) => {
    if (own.name === '') return
    for (const { name, value } of page.tree.attributesOf(own)) {
      if (!/^r:(id|embed|link)$/.test(name)) continue
      const link = links.find(({ id }) => id === value)
      if (!link) continue
      found.push(link.isExternal ? link.target : String(deck.package.opc.sizeOf(link.target)))
    }
    for (const child of own.children) see(child)
  }
  see(node)
  return found
}

/** A whole page: its shapes in their order, and whatever else it holds. */
export function pageKey(slide: Slide, page: ShapePage): string {
  return page.shapes.map(shape => `${shape.key} ${shapeKey(slide, shape)}`).join('\n')
}
