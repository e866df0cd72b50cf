import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import type { Story } from '../../story/story.ts'
import { type NoteKind, nextNoteId, notesOf } from '../notes/add-note.ts'
import { nextDrawingId } from '../pictures/insert-image.ts'
import type { CopiedLinks } from './copied-links.ts'
import { CopiedLists } from './copied-lists.ts'
import { CopiedStyles } from './copied-styles.ts'
import { flattenRuns } from './flatten-runs.ts'
import { plainXml } from './plain-xml.ts'
import { settleCopied } from './settle-copied.ts'

const STYLES = ['w:pStyle', 'w:rStyle', 'w:tblStyle']

/** Makes blocks of another document anew in this one, with all that they refer to. */
export class BlockCopier {
  readonly styles: CopiedStyles
  readonly lists: CopiedLists
  notes = 0
  pictures = 0
  /** What stayed behind, in words. */
  readonly left = new Set<string>()
  readonly #editor: DocumentEditor
  readonly #from: Manuscript
  readonly #media = new Map<string, string>()
  readonly #links: CopiedLinks | undefined

  constructor(
    editor: DocumentEditor,
    from: Manuscript,
    { isVersion = false, links }: { isVersion?: boolean; links?: CopiedLinks } = {},
  ) {
    this.#editor = editor
    this.#links = links
    this.#from = from
    this.lists = new CopiedLists(from, editor.manuscript, { isVersion })
    this.styles = new CopiedStyles(from, editor.manuscript, id => this.lists.numberOf(id))
  }

  /** A block of a story there, as a node for a story here. */
  copy(source: Story, node: LiveNode, target: Story): LiveNode {
    const { tree } = target
    const [made] = tree.fragment(plainXml(source.tree, node))
    for (const what of settleCopied(tree, made!)) this.left.add(what)
    if (source.paragraph(source.idOf(node) ?? '')?.isPrompt) this.#dropPrompt(tree, made!)
    this.#links?.settle(tree, made!)
    if (this.#editor.tracking) {
      const links = this.#from.package.links(source.part)
      flattenRuns(tree, made!, id => links.find(link => link.id === id && link.isExternal)?.target)
    }
    this.#restyle(tree, made!)
    this.#renumber(tree, made!)
    this.#relink(source, target, made!)
    this.#rename(tree, made!)
    for (const kind of ['footnote', 'endnote'] as const) this.#copyNotes(tree, made!, kind)
    return made!
  }

  /** Without its control a prompt would be text. */
  #dropPrompt(tree: LiveTree, made: LiveNode): void {
    tree.setChildren(
      made,
      made.children.filter(({ name }) => name === 'w:pPr'),
    )
    this.left.add('prompts of empty content controls are no text and did not come along')
  }

  #restyle(tree: LiveTree, made: LiveNode): void {
    for (const name of STYLES)
      for (const own of [...made.all(name)]) {
        const here = this.styles.idOf(tree.attribute(own, 'w:val') ?? '')
        if (here === undefined) tree.remove(own)
        else tree.setAttribute(own, 'w:val', here)
      }
  }

  #renumber(tree: LiveTree, made: LiveNode): void {
    for (const own of [...made.all('w:numId')]) {
      const there = tree.attribute(own, 'w:val') ?? ''
      const here = there === '0' ? '0' : this.lists.numberOf(there)
      if (here !== undefined) tree.setAttribute(own, 'w:val', here)
      else if (own.parent) tree.remove(own.parent)
    }
  }

  #relink(source: Story, target: Story, made: LiveNode): void {
    const links = this.#from.package.links(source.part)
    for (const own of elements(made))
      for (const { name, value } of target.tree.attributesOf(own)) {
        if (!name.startsWith('r:')) continue
        const link = links.find(({ id }) => id === value)
        const id = link && this.#linkFor(target, link.kind, link.target, link.isExternal)
        target.tree.setAttribute(own, name, id)
      }
  }

  #linkFor(target: Story, kind: string, name: string, isExternal: boolean): string {
    const { package: own } = this.#editor.manuscript
    if (isExternal) return own.addLink(target.part, kind, name, true)
    if (kind !== 'image')
      throw new Refusal(
        'CONFLICT',
        `what is copied holds ${WORDS[kind] ?? `a part of the kind ${kind}`}, which cannot be copied into another document; copy the text around it`,
      )
    const known = this.#media.get(name)
    if (known !== undefined) return own.addLink(target.part, 'image', known)
    const bytes = this.#from.package.bytesOf(name)
    if (!bytes.ok) throw new Refusal('CONFLICT', `a picture to copy cannot be read: ${name}`)
    const made = own.freeName('word/media/image', name.slice(name.lastIndexOf('.')))
    const type = this.#from.package.opc.contentTypes.typeOf(name) ?? 'application/octet-stream'
    own.addPart(made, type, bytes.value)
    this.#media.set(name, made)
    this.pictures++
    return own.addLink(target.part, 'image', made)
  }

  /** Drawings and bookmarks have ids of their own here; a bookmark whose name is taken stays behind. */
  #rename(tree: LiveTree, made: LiveNode): void {
    const { manuscript } = this.#editor
    let drawing = nextDrawingId(manuscript)
    for (const own of made.all('wp:docPr')) tree.setAttribute(own, 'id', String(drawing++))
    const taken = new Set(
      manuscript.stories.flatMap(({ tree: other, root }) =>
        [...root.all('w:bookmarkStart')].map(node => other.attribute(node, 'w:name')),
      ),
    )
    for (const start of [...made.all('w:bookmarkStart')]) {
      const there = tree.attribute(start, 'w:id')
      const end = [...made.all('w:bookmarkEnd')].find(own => tree.attribute(own, 'w:id') === there)
      if (!end || taken.has(tree.attribute(start, 'w:name'))) {
        tree.remove(start)
        if (end) tree.remove(end)
        continue
      }
      const id = String(manuscript.freeRevisionId())
      for (const own of [start, end]) tree.setAttribute(own, 'w:id', id)
    }
    const ids = new Set([...made.all('w:bookmarkStart')].map(own => tree.attribute(own, 'w:id')))
    for (const end of [...made.all('w:bookmarkEnd')])
      if (!ids.has(tree.attribute(end, 'w:id'))) tree.remove(end)
  }

  #copyNotes(tree: LiveTree, made: LiveNode, kind: NoteKind): void {
    const there = this.#from.story(`${kind}s`)
    for (const reference of [...made.all(`w:${kind}Reference`)]) {
      const id = tree.attribute(reference, 'w:id')
      const note = there?.root.children.find(own => there.tree.attribute(own, 'w:id') === id)
      if (!there || !note) {
        tree.remove(reference)
        continue
      }
      const here = notesOf(this.#editor, kind)
      const number = nextNoteId(here)
      const copy = this.copy(there, note, here)
      here.tree.setAttribute(copy, 'w:id', String(number))
      this.#editor.adopt(here, copy)
      here.tree.append(here.root, [copy])
      tree.setAttribute(reference, 'w:id', String(number))
      this.notes++
    }
  }
}

const WORDS: Readonly<Record<string, string>> = {
  chart: 'a chart',
  diagramData: 'a diagram',
  oleObject: 'an embedded object',
  package: 'an embedded file',
  subDocument: 'another document',
}

function* elements(node: LiveNode): Generator<LiveNode> {
  if (node.isText) return
  yield node
  for (const child of node.children) yield* elements(child)
}
