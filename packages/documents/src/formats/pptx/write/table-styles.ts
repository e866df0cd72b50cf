import type { LiveTree } from '../../../opc/index.ts'
import type { DeckPackage } from '../parts/deck-package.ts'
import { DECLARATION, declared, PRESENTATION } from './namespaces.ts'

const USUAL = '{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}'

/** The styles that the tables of a slide name, where the other deck has them and this one does not. */
export function carryTableStyles(own: DeckPackage, source: DeckPackage, slide: LiveTree): void {
  const styles = source.findTree(source.linkedFrom(source.mainName, 'tableStyles'))
  if (!styles) return
  for (const node of slide.root.all('a:tableStyleId')) {
    const id = slide.textOf(node).trim().toLowerCase()
    const style = styles.root.children.find(
      other => styles.attribute(other, 'styleId')?.toLowerCase() === id,
    )
    if (!style) continue
    const here = ownStyles(own)
    const isKnown = here.root.children.some(
      other => here.attribute(other, 'styleId')?.toLowerCase() === id,
    )
    if (isKnown) continue
    here.append(here.root, here.fragment(styles.xmlOf(style, name => name === 'a:extLst')))
  }
}

function ownStyles(own: DeckPackage): LiveTree {
  const known = own.findTree(own.linkedFrom(own.mainName, 'tableStyles'))
  if (known) return known
  const name = own.freeName('ppt/tableStyles', '.xml')
  own.addPart(
    name,
    `${PRESENTATION}.tableStyles+xml`,
    `${DECLARATION}<a:tblStyleLst ${declared(own.isStrict, 'a')} def="${USUAL}"/>`,
  )
  own.addLink(own.mainName, 'tableStyles', name)
  return own.findTree(name)!
}
