import { encodeAttribute, uriOfPrefix } from '../../../../opc/index.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { setProperty } from '../../edit/properties.ts'
import { settingsOf } from '../../parts/settings.ts'
import {
  type MarginKind,
  type MarginPages,
  marginReference,
  type PageSection,
  pageSectionsOf,
} from '../../story/page-sections.ts'
import { revisionMarks } from '../../story/revision-ids.ts'
import type { Story } from '../../story/story.ts'
import { ensureSection } from './sections.ts'

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.'

/** A header or footer: which pages of which section show it. */
export interface MarginSpot {
  readonly kind: MarginKind
  readonly pages: MarginPages
}

/** The header or footer that a section shows: its own, or that of the nearest section before. */
export function shownMargin(
  editor: DocumentEditor,
  section: PageSection,
  spot: MarginSpot,
): { readonly story: Story; readonly isOwn: boolean } | undefined {
  const { manuscript } = editor
  const sections = pageSectionsOf(manuscript)
  for (const own of sections.slice(0, section.number).reverse()) {
    const reference = marginReference(manuscript, own, spot.kind, spot.pages)
    const id = reference && manuscript.body.tree.attribute(reference, 'r:id')
    const target = manuscript.package
      .links(manuscript.package.mainName)
      .find(link => link.id === id && !link.isExternal)?.target
    const story = manuscript.stories.find(({ part }) => part === target)
    if (story) return { story, isOwn: own.id === section.id }
  }
  return undefined
}

/** Gives a section a header or footer of its own: a copy of another one, or one with an empty paragraph. */
export function addMargin(
  editor: DocumentEditor,
  section: PageSection,
  spot: MarginSpot,
  from?: Story,
): Story {
  const { manuscript } = editor
  const own = manuscript.package
  const type = `${TYPE}${spot.kind}+xml`
  const folder = from ? from.part.slice(0, from.part.lastIndexOf('/') + 1) : 'word/'
  const name = own.freeName(`${folder}${spot.kind}`, '.xml')
  if (from) own.copyPart(from.part, name, type)
  else own.addPart(name, type, emptyPart(editor, spot.kind))
  const { tree } = manuscript.body
  const [reference] = tree.fragment(
    `<w:${spot.kind}Reference w:type="${spot.pages}" r:id="${own.addLink(own.mainName, spot.kind, name)}"/>`,
  )
  const properties = ensureSection(editor, section)
  const old = marginReference(manuscript, { ...section, properties }, spot.kind, spot.pages)
  if (old) tree.remove(old)
  const last = properties.children.findLastIndex(({ name: own }) => own.endsWith('Reference'))
  tree.insert(properties, last + 1, [reference!])
  const made = manuscript.stories.find(({ part }) => part === name)!
  if (from) renewMarks(editor, made)
  return made
}

/** Bookmarks stay with the first one, by whose name they are known; tracked changes get ids of their own. */
function renewMarks({ manuscript }: DocumentEditor, { tree, root }: Story): void {
  const ids = new Map<string | undefined, string>()
  for (const mark of [...revisionMarks(root)]) {
    if (mark.name.startsWith('w:bookmark')) {
      tree.remove(mark)
      continue
    }
    const old = tree.attribute(mark, 'w:id')
    const id = ids.get(old) ?? String(manuscript.freeRevisionId())
    ids.set(old, id)
    tree.setAttribute(mark, 'w:id', id)
  }
}

function emptyPart({ manuscript }: DocumentEditor, kind: MarginKind): string {
  const { styles, body } = manuscript
  const style = styles.find(kind, 'paragraph')
  const properties = style ? `<w:pPr><w:pStyle w:val="${encodeAttribute(style.id)}"/></w:pPr>` : ''
  const root = kind === 'header' ? 'w:hdr' : 'w:ftr'
  const strict = body.tree.isStrict
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root} xmlns:w="${uriOfPrefix('w', strict)}" xmlns:r="${uriOfPrefix('r', strict)}"><w:p>${properties}</w:p></${root}>`
}

/**
 * Makes the first or the even pages show headers and footers of their own. Those that only the other pages had are
 * copied, so that no letterhead is lost.
 */
export function separatePages(
  editor: DocumentEditor,
  section: PageSection,
  { kind, pages }: MarginSpot,
): void {
  const isFirst = pages === 'first'
  if (!isFirst) setEvenPages(editor)
  const affected = isFirst ? [section] : pageSectionsOf(editor.manuscript)
  for (const each of affected)
    for (const own of ['header', 'footer'] as const) {
      if (own === kind && each.id === section.id) continue
      if (marginReference(editor.manuscript, each, own, pages)) continue
      const shown = shownMargin(editor, each, { kind: own, pages: 'default' })
      if (shown && (isFirst || shown.isOwn))
        addMargin(editor, each, { kind: own, pages }, shown.story)
    }
  const { tree } = editor.manuscript.body
  if (isFirst) setProperty(tree, ensureSection(editor, section), '<w:titlePg/>')
}

function hasFirstPage({ manuscript }: DocumentEditor, { properties }: PageSection): boolean {
  const own = properties?.child('w:titlePg')
  const value = own && manuscript.body.tree.attribute(own, 'w:val')
  return own !== undefined && value !== '0' && value !== 'false' && value !== 'off'
}

function setEvenPages({ manuscript }: DocumentEditor): void {
  const tree = manuscript.package.linkedTree('settings')
  if (!tree) throw invalid('the document has no settings, so even pages cannot differ')
  const last = tree.root.children.findLastIndex(({ name }) => BEFORE_EVEN.has(name))
  tree.insert(tree.root, last + 1, tree.fragment('<w:evenAndOddHeaders/>'))
}

/** Whether those pages show headers and footers of their own. */
export function isApart(editor: DocumentEditor, section: PageSection, pages: MarginPages): boolean {
  if (pages === 'default') return true
  if (pages === 'first') return hasFirstPage(editor, section)
  return settingsOf(editor.manuscript.package).hasEvenHeaders
}

/** What the schema wants in front of it in the settings. */
const BEFORE_EVEN: ReadonlySet<string> = new Set(
  `writeProtection view zoom removePersonalInformation removeDateAndTime doNotDisplayPageBoundaries
  displayBackgroundShape printPostScriptOverText printFractionalCharacterWidth printFormsData embedTrueTypeFonts
  embedSystemFonts saveSubsetFonts saveFormsData mirrorMargins alignBordersAndEdges bordersDoNotSurroundHeader
  bordersDoNotSurroundFooter gutterAtTop hideSpellingErrors hideGrammaticalErrors activeWritingStyle proofState
  formsDesign attachedTemplate linkStyles stylePaneFormatFilter stylePaneSortMethod documentType mailMerge
  revisionView trackRevisions doNotTrackMoves doNotTrackFormatting documentProtection autoFormatOverride
  styleLockTheme styleLockQFSet defaultTabStop autoHyphenation consecutiveHyphenLimit hyphenationZone
  doNotHyphenateCaps showEnvelope summaryLength clickAndTypeStyle defaultTableStyle`
    .split(/\s+/)
    .map(name => `w:${name}`),
)
