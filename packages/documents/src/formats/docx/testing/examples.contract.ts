import { type Operation, unwrap } from '@filewright/protocol'
import type { FormatExample } from '../../../format.contract.ts'
import type { OpenDocument } from '../../../format.ts'
import { loggedWith, png } from './png.contract.ts'
import { logged, p, shown, styled, W, zooDocument } from './zoo.contract.ts'

const BODY = 'word/document.xml'
const LINKS = 'word/_rels/document.xml.rels'
const LISTS = 'word/numbering.xml'

const LETTER = styled('Heading1', 'Terms') + p('The buyer pays.') + p('The seller delivers.')
const NUMBERED = `<w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`
const LIST = ['1', '1', '2', '2']
  .map((list, at) =>
    p(
      `<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr>`,
      `Item ${at}.`,
    ),
  )
  .join('')
const PICTURE = `<w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="914400"/><wp:docPr id="1" name="x" descr="Old"/><a:graphic><a:graphicData uri="x"><a:blip r:embed="rId9"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

interface Made {
  readonly body?: string
  readonly touches?: readonly string[]
  readonly shows: (text: string, document: OpenDocument) => boolean
}

function example(operation: Operation, { body = LETTER, touches = [BODY], shows }: Made) {
  const isList = body === LIST
  const isPicture = body.includes(PICTURE)
  return {
    title: String(operation.op),
    bytes: zooDocument({
      body,
      ...(isList && { numbering: NUMBERED }),
      ...(isPicture && {
        parts: { 'word/media/image1.png': png(2, 2) },
        links: [['rId9', 'image', 'media/image1.png']],
      }),
    }),
    operations: logged([operation]),
    touches,
    shows: (document: OpenDocument) => shows(shown(document).join('\n'), document),
  } satisfies FormatExample
}

/** The same, of an operation that takes something from another file. */
function taking(path: string, bytes: Uint8Array, made: ReturnType<typeof example>): FormatExample {
  const { operations, inputs } = loggedWith(
    path,
    bytes,
    made.operations.map(({ operation }) => operation),
  )
  return { ...made, operations, inputs }
}

function pictures(document: OpenDocument): readonly { readonly alt?: string }[] {
  return unwrap(document.map()).fields.images as { alt?: string }[]
}

/** Operations on lists, pictures, references and other documents. */
export const MORE_EXAMPLES: readonly FormatExample[] = [
  example(
    { op: 'insert_list', items: ['One.', 'Two.'], ordered: true, after: 'p3' },
    { touches: [BODY, LISTS], shows: text => /1 One\.\n.*2 Two\./.test(text) },
  ),
  example(
    { op: 'restart_list', place: 'p2', start: 9 },
    { body: LIST, touches: [BODY, LISTS], shows: text => /9 Item 1\./.test(text) },
  ),
  example(
    { op: 'continue_list', place: 'p3' },
    { body: LIST, shows: text => /3 Item 2\.\n.*4 Item 3\./.test(text) },
  ),
  taking(
    'a.png',
    png(4, 2),
    example(
      { op: 'insert_image', image: 'a.png', after: 'p1', alt: 'A view' },
      {
        touches: [BODY, LINKS],
        shows: (text, document) =>
          text.includes('⟦picture "A view"⟧') && pictures(document)[0]?.alt === 'A view',
      },
    ),
  ),
  taking(
    'a.png',
    png(4, 2),
    example(
      { op: 'replace_image', image: 'a.png', alt: 'New' },
      {
        body: p(PICTURE),
        touches: [BODY, LINKS, 'word/media/image1.png'],
        shows: (_, document) => pictures(document)[0]?.alt === 'New',
      },
    ),
  ),
  example(
    { op: 'set_alt_text', alt: 'New' },
    { body: p(PICTURE), shows: (_, document) => pictures(document)[0]?.alt === 'New' },
  ),
  example(
    { op: 'insert_cross_reference', search: 'pays', target: 'Terms' },
    { shows: text => /The buyer pays .*Terms/.test(text) },
  ),
  taking(
    'b.docx',
    zooDocument({ body: p('Copied.') }),
    example(
      { op: 'copy_blocks', from: 'b.docx', after: 'p2' },
      { shows: text => /pays\.\n.*Copied\.\n.*delivers/.test(text) },
    ),
  ),
  taking(
    'b.docx',
    zooDocument({ body: LETTER.replace('delivers', 'ships') + p('And more.') }),
    example(
      { op: 'compare_with', from: 'b.docx' },
      { shows: text => text.includes('The seller ships.') && text.includes('And more.') },
    ),
  ),
]
