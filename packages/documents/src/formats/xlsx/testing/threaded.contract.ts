import type { ZooBook, ZooSheet } from './zoo.contract.ts'

const TC = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments'

/** A conversation at B2 of the first sheet, of one remark, as Excel writes it. */
export const THREADED_PARTS: Omit<ZooBook, 'sheets'> & { readonly sheet: Omit<ZooSheet, 'rows'> } =
  {
    sheet: {
      tail: '<legacyDrawing r:id="rId3"/>',
      links: [
        ['rId1', 'comments', '../comments1.xml'],
        [
          'rId2',
          'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment',
          '../threadedComments/threadedComment1.xml',
        ],
        ['rId3', 'vmlDrawing', '../drawings/vmlDrawing1.vml'],
      ],
    },
    workbookLinks: [
      [
        'rId77',
        'http://schemas.microsoft.com/office/2017/10/relationships/person',
        'persons/person.xml',
      ],
    ],
    types: `<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/><Override PartName="/xl/comments1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"/><Override PartName="/xl/threadedComments/threadedComment1.xml" ContentType="application/vnd.ms-excel.threadedcomments+xml"/><Override PartName="/xl/persons/person.xml" ContentType="application/vnd.ms-excel.person+xml"/>`,
    parts: {
      'xl/comments1.xml':
        '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>tc={11111111-1111-4111-8111-111111111111}</author></authors><commentList><comment ref="B2" authorId="0" shapeId="0"><text><t>[Threaded comment] Comment: Why 5?</t></text></comment></commentList></comments>',
      'xl/threadedComments/threadedComment1.xml': `<ThreadedComments xmlns="${TC}"><threadedComment ref="B2" dT="2026-01-01T10:00:00.00" personId="{22222222-2222-4222-8222-222222222222}" id="{11111111-1111-4111-8111-111111111111}"><text>Why 5?</text></threadedComment></ThreadedComments>`,
      'xl/persons/person.xml': `<personList xmlns="${TC}"><person displayName="Ann" id="{22222222-2222-4222-8222-222222222222}" userId="ann" providerId="None"/></personList>`,
      'xl/drawings/vmlDrawing1.vml':
        '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="_x0000_s1025" type="#_x0000_t202"><x:ClientData ObjectType="Note"><x:Row>1</x:Row><x:Column>1</x:Column></x:ClientData></v:shape></xml>',
    },
  }
