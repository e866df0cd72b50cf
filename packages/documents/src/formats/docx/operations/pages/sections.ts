import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { type PageSection, pageSectionsOf } from '../../story/page-sections.ts'

/** The sections that an operation names, all of them without a number; a replay may have left out the break of one. */
export function chosenSections(
  editor: DocumentEditor,
  section: string | number | undefined,
): readonly PageSection[] {
  const ids = editor.resolve('sections', () => idsFor(editor, section))
  const sections = pageSectionsOf(editor.manuscript)
  return ids.flatMap(
    id => sections.find(own => own.id === id) ?? (editor.isPartial ? [] : gone(id)),
  )
}

function idsFor(editor: DocumentEditor, section: string | number | undefined): readonly string[] {
  const sections = pageSectionsOf(editor.manuscript)
  if (section === undefined || section === 'all') return sections.map(({ id }) => id)
  const number = Number(section)
  if (!Number.isInteger(number))
    throw invalid(
      `${editor.op}: section is the number of a page section, from 1 to ${sections.length}`,
    )
  const found = sections[number - 1]
  if (found) return [found.id]
  throw new Refusal(
    'NO_SUCH_REGION',
    `there is no page section ${number}; the document has ${sections.length}`,
  )
}

function gone(id: string): never {
  throw new Refusal('NO_SUCH_REGION', `the page section that ends with ${id} is not there any more`)
}

/** What changes of a section read and write. */
export function sectionKeys({ id }: PageSection) {
  return { keys: [`page section ${id}`], reads: id === 'end' ? [] : [id] }
}

export function sectionName({ id }: PageSection): string {
  return id === 'end' ? 'the last section' : `the section up to ${id}`
}

/** The properties of a section, made first where the body has none. */
export function ensureSection(
  { manuscript }: DocumentEditor,
  { properties }: PageSection,
): LiveNode {
  if (properties) return properties
  const { tree, root } = manuscript.body
  const [made] = tree.fragment('<w:sectPr/>')
  tree.append(root, [made!])
  return made!
}
