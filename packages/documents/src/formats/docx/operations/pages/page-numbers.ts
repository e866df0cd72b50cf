import { counted } from '@filewright/protocol'
import { encodeText, type LiveNode, type LiveTree } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { fieldXml } from '../../edit/field-xml.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { ensureProperties, putProperty, setProperty } from '../../edit/properties.ts'
import { textXml } from '../../edit/text-edit.ts'
import { trackNewParagraph } from '../../edit/tracked-paragraph.ts'
import type { MarginPages, PageSection } from '../../story/page-sections.ts'
import { fieldName } from '../../story/pieces.ts'
import type { Story } from '../../story/story.ts'
import { isApart } from './margin-parts.ts'
import { chosenSections, ensureSection, sectionKeys, sectionName } from './sections.ts'
import { storiesFor, warnOfOthers } from './set-header.ts'

/** Numbers the pages in a paragraph of its own; a header or footer that shows the number keeps it as it is. */
export function setPageNumbers(editor: DocumentEditor, args: DocumentArgs<'set_page_numbers'>) {
  const { text, position, align } = args
  refuseUnwritable(text)
  if (args.start !== undefined || args.number_format !== undefined)
    for (const section of chosenSections(editor, args.section)) setNumbering(editor, section, args)
  const stories = pagesFor(editor, args).flatMap(pages =>
    storiesFor(editor, args.section, { kind: position, pages }),
  )
  const numbered = stories.filter(story => {
    const hasNumber = editor.resolve(`number in ${story.name}`, () => showsNumber(story))
    if (hasNumber) editor.warn(`${story.name} shows the page number already; it stays as it is.`)
    return !hasNumber && addNumber(editor, story, { text, align })
  })
  return {
    op: 'set_page_numbers',
    message: `Added the page number to ${counted(numbered.length, position)}.`,
    stories: numbered.map(({ name }) => name),
  }
}

type Numbering = DocumentArgs<'set_page_numbers'>

/** Even pages are numbered too where they show a header or footer of their own; a first page is often left out on purpose. */
function pagesFor(editor: DocumentEditor, { which, section }: Numbering): readonly MarginPages[] {
  if (which !== undefined) return [which]
  const isEven = chosenSections(editor, section).some(own => isApart(editor, own, 'even'))
  warnOfOthers(editor, section, 'number', ['first'])
  return isEven ? ['even', 'default'] : ['default']
}

function showsNumber({ tree, root }: Story): boolean {
  for (const node of root.all('w:instrText'))
    if (fieldName(tree.textOf(node)) === 'PAGE') return true
  for (const node of root.all('w:fldSimple'))
    if (fieldName(tree.attribute(node, 'w:instr') ?? '') === 'PAGE') return true
  return !root.all('w:pgNum').next().done
}

/** An empty paragraph is used; otherwise a new one at the end. */
function addNumber(
  editor: DocumentEditor,
  story: Story,
  { text, align }: { readonly text: string; readonly align: string },
): boolean {
  const { tree, root } = story
  const id = editor.newId()
  return editor.change(
    {
      kind: 'paragraph',
      place: `page number in ${story.name}`,
      keys: [id, story.name],
      before: null,
      after: () => ({ text }),
    },
    () => {
      const only = root.children.filter(({ name }) => name !== '')
      const isEmpty =
        only.length === 1 &&
        only[0]!.name === 'w:p' &&
        only[0]!.children.every(({ name }) => name === 'w:pPr' || name === '')
      const model = root.children.findLast(({ name }) => name === 'w:p')?.child('w:pPr')
      const [node] = tree.fragment(`<w:p>${numberRuns(text)}</w:p>`)
      if (model) {
        const properties = tree.clone(model)
        for (const name of ['w:rPr', 'w:sectPr', 'w:pPrChange', 'w:framePr', 'w:numPr']) {
          const dropped = properties.child(name)
          if (dropped) tree.remove(dropped)
        }
        tree.insert(node!, 0, [properties])
      }
      setProperty(tree, ensureProperties(tree, node!), `<w:jc w:val="${align}"/>`)
      story.assign(node!, id)
      put(tree, root, node!, isEmpty ? only[0] : undefined)
      if (editor.tracking && !isEmpty) trackNewParagraph(tree, node!, editor.tracking)
      return true
    },
  )
}

function put(tree: LiveTree, root: LiveNode, node: LiveNode, empty: LiveNode | undefined): void {
  tree.append(root, [node])
  if (empty) tree.remove(empty)
}

function numberRuns(text: string): string {
  return text
    .split(/(\{pages?\})/)
    .map(part => {
      if (part === '{page}') return fieldXml('PAGE', '1')
      if (part === '{pages}') return fieldXml('NUMPAGES', '1')
      return part === '' ? '' : `<w:r>${textXml(part)}</w:r>`
    })
    .join('')
}

function setNumbering(
  editor: DocumentEditor,
  section: PageSection,
  { start, number_format: format }: Numbering,
): void {
  editor.untracked('the first page number')
  const { tree } = editor.manuscript.body
  editor.change(
    {
      kind: 'structure',
      place: `page numbers of ${sectionName(section)}`,
      ...sectionKeys(section),
      before: null,
      after: () => ({ text: encodeText(`from ${start ?? 1} ${format ?? ''}`.trim()) }),
    },
    () => {
      const properties = ensureSection(editor, section)
      let node = properties.child('w:pgNumType')
      if (!node) {
        ;[node] = tree.fragment('<w:pgNumType/>')
        putProperty(tree, properties, node!)
      }
      if (start !== undefined) tree.setAttribute(node!, 'w:start', String(start))
      if (format !== undefined) tree.setAttribute(node!, 'w:fmt', format)
      return true
    },
  )
}
