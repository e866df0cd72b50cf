import { counted } from '@filewright/protocol'
import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { putProperty } from '../../edit/properties.ts'
import { isRecorded, type Tracking } from '../../edit/tracking.ts'
import { numberOf } from '../../parts/values.ts'
import { chosenSections, ensureSection, sectionKeys, sectionName } from './sections.ts'

const TWIPS_PER_CM = 1440 / 2.54
/** Width and height in twentieths of a point, upright. */
const PAPERS: Readonly<Record<string, readonly [number, number]>> = {
  a3: [16838, 23811],
  a4: [11906, 16838],
  a5: [8391, 11906],
  letter: [12240, 15840],
  legal: [12240, 20160],
  tabloid: [15840, 24480],
}
const SIDES = ['top', 'right', 'bottom', 'left', 'header', 'footer'] as const
const MOST_CM = 55 // 22 inches: the largest page of Word

interface PageSetup {
  readonly paper: readonly [number, number] | undefined
  readonly orientation: string | undefined
  readonly margins: Readonly<Record<string, number>>
  readonly columns: number | undefined
}

/** Paper, orientation, margins and columns; everything else of the section stays. */
export function setPage(editor: DocumentEditor, args: DocumentArgs<'set_page'>) {
  const setup = setupOf(args)
  const { tree } = editor.manuscript.body
  let count = 0
  for (const section of chosenSections(editor, args.section)) {
    const show = (node: LiveNode | undefined) => ({ text: describePage(tree, node) })
    const done = editor.change(
      {
        kind: 'structure',
        place: `pages of ${sectionName(section)}`,
        ...sectionKeys(section),
        before: show(section.properties),
        after: () => show(section.properties ?? editor.manuscript.body.root.children.at(-1)),
      },
      () => {
        const properties = ensureSection(editor, section)
        if (editor.tracking) trackSection(tree, properties, editor.tracking)
        setUp(tree, properties, setup)
        return true
      },
    )
    if (done) count++
  }
  return { op: 'set_page', message: `Set up the pages of ${counted(count, 'section')}.` }
}

function setupOf({ paper, orientation, margins, columns }: DocumentArgs<'set_page'>): PageSetup {
  const setup = {
    paper: paper === undefined ? undefined : paperOf(paper),
    orientation,
    margins: marginsOf(margins),
    columns,
  }
  const isEmpty = Object.keys(setup.margins).length === 0
  if (!setup.paper && orientation === undefined && isEmpty && columns === undefined)
    throw invalid(`set_page: margins takes ${SIDES.join(', ')} in centimetres, and names none`)
  return setup
}

function paperOf(paper: string): readonly [number, number] {
  const text = paper.trim().toLowerCase()
  if (Object.hasOwn(PAPERS, text)) return PAPERS[text]!
  const sides = /^([\d.]+)\s*(?:cm)?\s*[x×]\s*([\d.]+)\s*(?:cm)?$/.exec(text)
  const [width = 0, height = 0] = sides ? [Number(sides[1]), Number(sides[2])] : []
  if (width >= 1 && height >= 1 && width <= MOST_CM && height <= MOST_CM)
    return [Math.round(width * TWIPS_PER_CM), Math.round(height * TWIPS_PER_CM)]
  throw invalid(
    `${JSON.stringify(paper)} is no paper; use A3, A4, A5, Letter, Legal, Tabloid, or centimetres such as "21 x 29.7"`,
  )
}

function marginsOf(
  margins: DocumentArgs<'set_page'>['margins'] = {},
): Readonly<Record<string, number>> {
  const given =
    typeof margins === 'number'
      ? { top: margins, right: margins, bottom: margins, left: margins }
      : margins
  return Object.fromEntries(
    Object.entries(given).flatMap(([side, value]) =>
      value === undefined ? [] : [[side, Math.round(value * TWIPS_PER_CM)]],
    ),
  )
}

function setUp(tree: LiveTree, properties: LiveNode, setup: PageSetup): void {
  if (setup.paper || setup.orientation !== undefined) setPaper(tree, properties, setup)
  if (Object.keys(setup.margins).length > 0) {
    const node = ensureChild(tree, properties, MARGINS)
    for (const [side, value] of Object.entries(setup.margins))
      tree.setAttribute(node, `w:${side}`, String(value))
  }
  if (setup.columns === undefined) return
  const node = ensureChild(tree, properties, '<w:cols w:space="708"/>')
  tree.setAttribute(node, 'w:num', setup.columns === 1 ? undefined : String(setup.columns))
  tree.setAttribute(node, 'w:equalWidth', undefined)
  tree.setChildren(node, [])
}

const MARGINS =
  '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/>'

function setPaper(tree: LiveTree, properties: LiveNode, { paper, orientation }: PageSetup): void {
  const node = ensureChild(tree, properties, '<w:pgSz w:w="11906" w:h="16838"/>')
  const width = numberOf(tree.attribute(node, 'w:w')) ?? 11906
  const height = numberOf(tree.attribute(node, 'w:h')) ?? 16838
  const lies = orientation === undefined ? width > height : orientation === 'landscape'
  const [short, long] = [...(paper ?? [width, height])].sort((a, b) => a - b) as [number, number]
  tree.setAttribute(node, 'w:w', String(lies ? long : short))
  tree.setAttribute(node, 'w:h', String(lies ? short : long))
  tree.setAttribute(node, 'w:orient', lies ? 'landscape' : undefined)
  if (paper) tree.setAttribute(node, 'w:code', undefined) // a printer's number of the old paper
}

function ensureChild(tree: LiveTree, properties: LiveNode, xml: string): LiveNode {
  const [made] = tree.fragment(xml)
  const own = properties.child(made!.name)
  if (own) return own
  putProperty(tree, properties, made!)
  return made!
}

/** Records how the section looked. Only the first change counts. */
function trackSection(tree: LiveTree, properties: LiveNode, tracking: Tracking): void {
  if (isRecorded(tree, properties, tracking)) return
  const [change] = tree.fragment(
    `<w:sectPrChange ${tracking.attributes()}><w:sectPr/></w:sectPrChange>`,
  )
  const kept = properties.children.filter(({ name }) => !/^$|Reference$/.test(name))
  tree.append(
    change!.child('w:sectPr')!,
    kept.map(node => tree.clone(node)),
  )
  tree.append(properties, [change!])
}

function describePage(tree: LiveTree, properties: LiveNode | undefined): string {
  const value = (name: string, attribute: string) =>
    numberOf(tree.attribute(properties?.child(name), attribute))
  const cm = (twips: number | undefined) =>
    twips === undefined ? '?' : String(Math.round((twips / TWIPS_PER_CM) * 10) / 10)
  const sides = SIDES.slice(0, 4).map(side => cm(value('w:pgMar', `w:${side}`)))
  return `${cm(value('w:pgSz', 'w:w'))} × ${cm(value('w:pgSz', 'w:h'))} cm, margins ${sides.join(' ')}, ${counted(value('w:cols', 'w:num') ?? 1, 'column')}`
}
