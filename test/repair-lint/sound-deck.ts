import {
  content,
  edited,
  table,
  title,
  zooDeck,
} from '../../packages/documents/src/formats/pptx/testing/zoo.contract.ts'

const MERGED = '<a:tc gridSpan="2"><a:txBody><a:bodyPr/><a:p/></a:txBody></a:tc>'
const COVERED = '<a:tc hMerge="1"><a:txBody><a:bodyPr/><a:p/></a:txBody></a:tc>'

/** Something of everything that a rule looks at, with nothing to repair. */
export const SOUND_DECK: Uint8Array = edited(
  zooDeck({
    slides: [
      { shapes: `${title('One')}${content('Text')}` },
      { shapes: `${title('Two')}${table(4, [MERGED, COVERED], ['c', 'd'])}` },
    ],
    sections:
      '<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="All" id="{11111111-1111-1111-1111-111111111111}"><p14:sldIdLst><p14:sldId id="256"/><p14:sldId id="257"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>',
  }),
  { op: 'set_notes', index: 0, text: 'Say it' },
  {
    op: 'add_chart',
    index: 0,
    type: 'column',
    categories: ['a', 'b'],
    series: [{ name: 'n', values: [1, 2] }],
  },
)
