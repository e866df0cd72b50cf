import { counted } from '@filewright/protocol'
import { encodeText } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { slideOf } from '../../edit/fields.ts'
import { addShape } from '../../edit/placeholders.ts'
import type { Deck } from '../../slide/deck.ts'
import { addingShape, boxOf, boxXml, middleOf } from './box-fields.ts'

const ROW = 370_840 // EMU: a line of 18 points with its margins
const MEDIUM = '{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}'

/** A table in the style that the deck uses for new tables. */
export function addTable(editor: DeckEditor, args: DeckArgs<'add_table'>) {
  const rows = rowsOf(args)
  const columns = Math.max(...rows.map(({ length }) => length))
  const slide = slideOf(editor, args)
  const id = editor.newId(slide.page)
  const usual = { ...middleOf(slide), height: rows.length * ROW }
  const box = boxOf(args, usual)
  const name = 'Table'
  const text = rows.map(row => row.join(' | ')).join('\n')
  const high = Math.round(box.height / rows.length)
  const cell = (value: string) =>
    `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p>${value === '' ? '' : `<a:r><a:rPr/><a:t>${encodeText(value)}</a:t></a:r>`}</a:p></a:txBody><a:tcPr/></a:tc>`
  const grid = Array.from(
    { length: columns },
    () => `<a:gridCol w="${Math.round(box.width / columns)}"/>`,
  ).join('')
  const body = rows
    .map(
      row =>
        `<a:tr h="${high}">${Array.from({ length: columns }, (_, at) => cell(row[at] ?? '')).join('')}</a:tr>`,
    )
    .join('')
  addingShape(editor, slide, id, name, {
    kind: 'shape',
    text,
    make: () => {
      const { tree, shapeTree } = slide.page
      const [node] = tree.fragment(
        `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="${name}"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${boxXml(box)}</p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr${args.header === false ? '' : ' firstRow="1"'} bandRow="1"><a:tableStyleId>${styleOf(editor.deck)}</a:tableStyleId></a:tblPr><a:tblGrid>${grid}</a:tblGrid>${body}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
      )
      const [data] = [...node!.all('a:graphicData')]
      tree.setAttribute(data!, 'uri', tableUri(editor.deck))
      addShape(tree, shapeTree, node!)
    },
  })
  return {
    op: 'add_table',
    message: `Added a table of ${counted(rows.length, 'row')} and ${counted(columns, 'column')} to slide ${slide.index}.`,
    shape: id,
  }
}

function tableUri({ package: { isStrict } }: Deck): string {
  return isStrict
    ? 'http://purl.oclc.org/ooxml/drawingml/table'
    : 'http://schemas.openxmlformats.org/drawingml/2006/table'
}

function rowsOf({ values }: DeckArgs<'add_table'>): readonly (readonly string[])[] {
  const rows = values.map(row => [row].flat().map(value => (value === null ? '' : String(value))))
  if (rows.every(({ length }) => length === 0))
    throw wrongArgument('add_table needs values: rows of cells, such as [["Item", "Price"]]')
  return rows
}

/** The style that the deck gives new tables. */
function styleOf({ package: own }: Deck): string {
  const tree = own.findTree(own.linkedFrom(own.mainName, 'tableStyles'))
  return tree?.attribute(tree.root, 'def') ?? MEDIUM
}
