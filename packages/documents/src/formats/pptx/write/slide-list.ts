import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { Deck, Slide } from '../slide/deck.ts'

const LISTS_BEFORE = ['p:handoutMasterIdLst', 'p:notesMasterIdLst', 'p:sldMasterIdLst']

/** Puts a new slide behind another, or first, into the list of slides and into the section there. */
export function enterSlide(deck: Deck, part: string, id: string, after: Slide | undefined): void {
  const own = deck.package
  const link = own.addLink(own.mainName, 'slide', part)
  const { main } = own
  const [entry] = main.fragment(`<p:sldId id="${id}" r:id="${link}"/>`)
  putEntry(main, slideList(main), entry!, after?.entry)
  enterSection(main, id, after?.key)
}

function slideList(main: LiveTree): LiveNode {
  const known = main.root.child('p:sldIdLst')
  if (known) return known
  const [made] = main.fragment('<p:sldIdLst/>')
  const before = LISTS_BEFORE.map(name => main.root.child(name)).find(node => node)
  if (before) main.after(before, [made!])
  else main.insert(main.root, 0, [made!])
  return made!
}

function putEntry(
  main: LiveTree,
  list: LiveNode,
  entry: LiveNode,
  after: LiveNode | undefined,
): void {
  if (after) main.after(after, [entry])
  else main.insert(list, 0, [entry])
}

/** Behind the slide in front of it, in its section; the first slide is in the first section. */
function enterSection(main: LiveTree, id: string, after: string | undefined): void {
  const sections = sectionNodes(main)
  if (sections.length === 0) return
  const entry = main.fragment(`<p14:sldId id="${id}"/>`)
  const neighbour = sections
    .flatMap(section => [...section.all('p14:sldId')])
    .find(node => main.attribute(node, 'id') === after)
  if (neighbour) return main.after(neighbour, entry)
  const list = sections[0]!.child('p14:sldIdLst')
  if (list) main.insert(list, 0, entry)
}

function sectionNodes(main: LiveTree): readonly LiveNode[] {
  const extensions = main.root.child('p:extLst')
  return extensions ? [...extensions.all('p14:section')] : []
}

export function moveEntry({ deck, entry, key }: Slide, after: Slide | undefined): void {
  const { main } = deck.package
  const list = slideList(main)
  leaveSection(main, key)
  main.remove(entry)
  putEntry(main, list, entry, after?.entry)
  enterSection(main, key, after?.key)
}

function leaveSection(main: LiveTree, key: string): void {
  for (const section of sectionNodes(main))
    for (const node of [...section.all('p14:sldId')])
      if (main.attribute(node, 'id') === key) main.remove(node)
}

/** Takes a slide out of the list, its section and the shows that name it; returns its link. */
export function leaveList({ deck, entry, key }: Slide): void {
  const own = deck.package
  const { main } = own
  const link = main.attribute(entry, 'r:id')
  main.remove(entry)
  leaveSection(main, key)
  for (const node of [...main.root.all('p:sld')])
    if (main.attribute(node, 'r:id') === link) main.remove(node)
  if (link !== undefined) own.removeLink(own.mainName, link)
}
