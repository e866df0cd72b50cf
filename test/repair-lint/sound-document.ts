import { annotated } from '../../packages/documents/src/formats/docx/testing/annotated.contract.ts'
import {
  p,
  r,
  styled,
  table,
  W,
  zooDocument,
} from '../../packages/documents/src/formats/docx/testing/zoo.contract.ts'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const drawing = (id: number) =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="${id}" name="Picture"/><a:graphic><a:graphicData uri="x"><a:blip r:embed="rId31"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
const control = (id: number) =>
  `<w:sdt><w:sdtPr><w:id w:val="${id}"/></w:sdtPr><w:sdtContent>${p('controlled')}</w:sdtContent></w:sdt>`
const moved = (kind: 'From' | 'To', id: number) =>
  `<w:move${kind}RangeStart w:id="${id}" w:name="move1"/><w:p><w:move${kind} w:id="${id + 1}" w:author="A"><w:r><w:t>moved</w:t></w:r></w:move${kind}></w:p><w:move${kind}RangeEnd w:id="${id}"/>`
const endnote = (id: number, type?: string) =>
  `<w:endnote${type ? ` w:type="${type}"` : ''} w:id="${id}">${p('note')}</w:endnote>`

/** Something of everything that a rule looks at, with nothing to repair. */
export const SOUND_DOCUMENT: Uint8Array = zooDocument({
  body: [
    annotated.body,
    styled('Heading1', 'Terms'),
    p('<w:bookmarkStart w:id="50" w:name="b1"/>', r('marked'), '<w:bookmarkEnd w:id="50"/>'),
    p('<w:bookmarkStart w:id="51" w:name="b2"/>', r('again'), '<w:bookmarkEnd w:id="51"/>'),
    p('<w:permStart w:id="60" w:edGrp="everyone"/>', r('open'), '<w:permEnd w:id="60"/>'),
    p(
      field('begin'),
      '<w:r><w:instrText>REF b1</w:instrText></w:r>',
      field('separate'),
      'marked',
      field('end'),
    ),
    p('<w:hyperlink w:anchor="b2"><w:r><w:t>there</w:t></w:r></w:hyperlink>'),
    p(drawing(1), drawing(2)),
    control(71) + control(72),
    p(
      '<w:ins w:id="80" w:author="A"><w:r><w:t>new</w:t></w:r></w:ins>',
      '<w:del w:id="81" w:author="A"><w:r><w:delText>old</w:delText></w:r></w:del>',
    ),
    moved('From', 90) + moved('To', 92),
    p('<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>', 'item'),
    table(['a', 'b'], ['c', 'd']),
    table(['a'], ['b'])
      .replace('</w:tcPr>', '<w:vMerge w:val="restart"/></w:tcPr>')
      .replace(/(.*)<\/w:tcPr>/, '$1<w:vMerge/></w:tcPr>'),
    p('<w:r><w:endnoteReference w:id="2"/></w:r>'),
    p('<w:pPr><w:sectPr><w:headerReference w:type="default" r:id="rId32"/></w:sectPr></w:pPr>'),
  ].join(''),
  settings: '<w:footnotePr><w:footnote w:id="-1"/></w:footnotePr>',
  parts: {
    ...annotated.parts,
    'word/media/image1.png': Buffer.from('png'),
    'word/header1.xml': `<w:hdr xmlns:w="${W}" xmlns:r="${REL}">${p('head')}</w:hdr>`,
    'word/endnotes.xml': `<w:endnotes xmlns:w="${W}">${endnote(0, 'separator')}${endnote(2)}</w:endnotes>`,
  },
  links: [
    ...(annotated.links ?? []),
    ['rId31', 'image', 'media/image1.png'],
    ['rId32', 'header', 'header1.xml'],
    ['rId33', 'endnotes', 'endnotes.xml'],
  ],
  types: `${annotated.types}${['header1:header', 'endnotes:endnotes']
    .map(own => own.split(':'))
    .map(
      ([name, type]) =>
        `<Override PartName="/word/${name}.xml" ContentType="${WORD}.${type}+xml"/>`,
    )
    .join('')}`,
})
