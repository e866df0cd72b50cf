import { encodeAttribute, type LiveNode } from '../../../../opc/index.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { modelOf, type ParagraphModel, refuseUnwritable } from '../../edit/new-paragraph.ts'
import { ensureProperties, setProperty } from '../../edit/properties.ts'
import { textXml } from '../../edit/text-edit.ts'
import type { Style } from '../../parts/styles.ts'
import type { Paragraph, Story } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'
import { newList } from '../lists/list-numbering.ts'
import { type InlineTarget, inlineRuns, MONO } from './inline-markdown.ts'
import type { MarkdownBlock } from './parse-markdown.ts'

type Item = Extract<MarkdownBlock, { kind: 'item' }>

/** Makes the elements of Markdown blocks in the styles that the document has. */
export class BlockMaker {
  /** Kinds of text for which the document has no style. */
  readonly missing = new Set<string>()
  readonly #editor: DocumentEditor
  readonly #story: Story
  readonly #body: ParagraphModel
  /** The numbers of the lists made so far. */
  readonly #lists = new Map<number, string>()

  constructor(editor: DocumentEditor, story: Story, anchor: Paragraph | undefined) {
    this.#editor = editor
    this.#story = story
    const model = anchor && bodyNear(anchor)
    this.#body = model ? modelOf(model) : { properties: undefined, look: undefined }
  }

  make(block: MarkdownBlock): LiveNode {
    switch (block.kind) {
      case 'heading':
        return this.#heading(block.level, block.text)
      case 'quote':
        return this.#styled(
          block.text,
          'quotes',
          ['Quote', 'Block Text', 'Intense Quote'],
          '<w:ind w:left="720" w:right="720"/>',
        )
      case 'code':
        return this.#code(block.text)
      case 'item':
        return this.#item(block)
      case 'rule':
        return this.#rule()
      case 'table':
        return this.#table(block.rows)
      default:
        return this.#paragraph(this.#body.properties, this.#runs(block.text, this.#body.look))
    }
  }

  #paragraph(properties: LiveNode | undefined, runs: readonly LiveNode[]): LiveNode {
    const { tree } = this.#story
    const [paragraph] = tree.fragment('<w:p/>')
    if (properties) tree.append(paragraph!, [tree.clone(properties)])
    tree.append(paragraph!, runs)
    return paragraph!
  }

  #runs(text: string, look?: LiveNode): readonly LiveNode[] {
    const { manuscript, tracking } = this.#editor
    const { tree, part } = this.#story
    const { styles } = manuscript
    const target: InlineTarget = {
      tree,
      look,
      codeStyle: CODE_TEXT.map(name => styles.find(name, 'character')).find(Boolean)?.id,
      linkStyle: styles.find('Hyperlink', 'character')?.id,
      link: tracking ? undefined : url => manuscript.package.addLink(part, 'hyperlink', url, true),
    }
    if (tracking && /\]\(/.test(text))
      this.#editor.warn(
        'a link has no form as a tracked change, so its text was inserted without it.',
      )
    return inlineRuns(target, text)
  }

  #heading(level: number, text: string): LiveNode {
    const { styles } = this.#editor.manuscript
    const style =
      styles.find(`heading ${level}`, 'paragraph') ??
      [...styles.byId.values()].find(
        own => own.type === 'paragraph' && styles.headingLevel(own.id) === level,
      )
    if (style) return this.#inStyle(style, this.#runs(text))
    this.missing.add(`headings of level ${level}`)
    const made = this.#paragraph(undefined, this.#runs(text))
    const { tree } = this.#story
    setProperty(tree, ensureProperties(tree, made), `<w:outlineLvl w:val="${level - 1}"/>`)
    for (const run of made.all('w:r')) setProperty(tree, ensureProperties(tree, run), '<w:b/>')
    return made
  }

  #styled(text: string, kind: string, names: readonly string[], property: string): LiveNode {
    const style = this.#find(names)
    if (style) return this.#inStyle(style, this.#runs(text))
    this.missing.add(kind)
    const made = this.#paragraph(this.#body.properties, this.#runs(text, this.#body.look))
    setProperty(this.#story.tree, ensureProperties(this.#story.tree, made), property)
    return made
  }

  /** Code is text as it stands, line by line. */
  #code(text: string): LiveNode {
    const { tree } = this.#story
    refuseUnwritable(text)
    const style = this.#find(CODE_BLOCK)
    const runs = tree.fragment(`<w:r>${textXml(text)}</w:r>`)
    if (style) return this.#inStyle(style, runs)
    this.missing.add('code')
    for (const run of runs) setProperty(tree, ensureProperties(tree, run), MONO)
    return this.#paragraph(undefined, runs)
  }

  #item({ isOrdered, level, list, start, text }: Item): LiveNode {
    const { tree } = this.#story
    const style = this.#find(
      isOrdered ? ['List Number', 'List Paragraph'] : ['List Bullet', 'List Paragraph'],
    )
    let numId = this.#lists.get(list)
    if (numId === undefined) {
      numId = newList(this.#editor.manuscript, isOrdered, style?.id, start)
      this.#lists.set(list, numId)
    }
    const runs = this.#runs(text, style ? undefined : this.#body.look)
    const made = style ? this.#inStyle(style, runs) : this.#paragraph(this.#body.properties, runs)
    setProperty(
      tree,
      ensureProperties(tree, made),
      `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${encodeAttribute(numId)}"/></w:numPr>`,
    )
    return made
  }

  #rule(): LiveNode {
    const { tree } = this.#story
    const made = this.#paragraph(undefined, [])
    const line = '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>'
    setProperty(tree, ensureProperties(tree, made), line)
    return made
  }

  #table(rows: readonly (readonly string[])[]): LiveNode {
    const { tree } = this.#story
    const { styles } = this.#editor.manuscript
    const style = styles.find('Table Grid', 'table')
    const look = style ? `<w:tblStyle w:val="${encodeAttribute(style.id)}"/>` : ''
    const edges = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(
      edge => `<w:${edge} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`,
    )
    const borders = style ? '' : `<w:tblBorders>${edges.join('')}</w:tblBorders>`
    const columns = rows[0]!.map(() => '<w:gridCol/>').join('')
    const [table] = tree.fragment(
      `<w:tbl><w:tblPr>${look}<w:tblW w:w="0" w:type="auto"/>${borders}</w:tblPr><w:tblGrid>${columns}</w:tblGrid></w:tbl>`,
    )
    for (const [index, row] of rows.entries()) {
      const header = index === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : ''
      const [made] = tree.fragment(`<w:tr>${header}</w:tr>`)
      for (const text of row) {
        const [cell] = tree.fragment('<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr></w:tc>')
        const runs = this.#runs(text)
        if (index === 0)
          for (const run of runs)
            if (run.name === 'w:r') setProperty(tree, ensureProperties(tree, run), '<w:b/>')
        tree.append(cell!, [this.#paragraph(undefined, runs)])
        tree.append(made!, [cell!])
      }
      tree.append(table!, [made!])
    }
    return table!
  }

  #inStyle({ id, isDefault }: Style, runs: readonly LiveNode[]): LiveNode {
    const made = this.#paragraph(undefined, runs)
    const { tree } = this.#story
    if (!isDefault)
      setProperty(tree, ensureProperties(tree, made), `<w:pStyle w:val="${encodeAttribute(id)}"/>`)
    return made
  }

  #find(names: readonly string[]): Style | undefined {
    const { styles } = this.#editor.manuscript
    return names.map(name => styles.find(name, 'paragraph')).find(Boolean)
  }
}

const CODE_TEXT = ['HTML Code', 'Verbatim Char', 'Code', 'Source Text']
const CODE_BLOCK = ['HTML Preformatted', 'Source Code', 'Code', 'Preformatted Text', 'Plain Text']

/** The nearest paragraph of plain text around the anchor, which new text looks like. */
function bodyNear(anchor: Paragraph): Paragraph | undefined {
  const { story, position } = anchor
  const around = [
    anchor,
    ...story.paragraphs.slice(position + 1, position + 20),
    ...story.paragraphs.slice(Math.max(0, position - 20), position).reverse(),
  ]
  return around.find(own => {
    const { heading, label } = story.rank(own)
    const isPlain = heading === undefined && label === '' && own.node.parent === anchor.node.parent
    return isPlain && textMapOf(story.pieces(own)).text.trim() !== ''
  })
}
