import type { InjectedFault } from '../injected-fault.ts'

const MAIN = 'ppt/presentation.xml'
const ONE = 'ppt/slides/slide1.xml'
const TWO = 'ppt/slides/slide2.xml'
const TWO_LINKS = 'ppt/slides/_rels/slide2.xml.rels'

/** Replaces the first of something in a part. */
function fault(
  rule: string,
  part: string,
  from: string | RegExp,
  to: string,
  also: readonly string[] = [],
): InjectedFault {
  return {
    rule: `pptx/${rule}`,
    part,
    damage: xml => xml.replace(from, to),
    also: also.map(own => (own.startsWith('opc/') ? own : `pptx/${own}`)),
  }
}

export const DECK_FAULTS: readonly InjectedFault[] = [
  fault('slide-id-twice', MAIN, '<p:sldId id="257"', '<p:sldId id="256"', ['section-of-no-slide']),
  fault('slide-id-out-of-range', MAIN, /id="257"/g, 'id="25"', []),
  fault('slide-listed-twice', MAIN, /(<p:sldId id="257" r:id=")rId101/, '$1rId100', [
    'slide-not-listed',
  ]),
  fault('slide-not-listed', MAIN, /<p:sldId id="257" r:id="rId101"\/>/, '', [
    'section-of-no-slide',
  ]),
  fault('slide-without-layout', TWO_LINKS, /<Relationship Id="rId1"[^>]*>/, ''),
  fault(
    'layout-without-master',
    'ppt/slideLayouts/_rels/slideLayout8.xml.rels',
    /<Relationship [^>]*slideMaster"[^>]*>/,
    '',
  ),
  fault('shape-id-twice', ONE, '<p:cNvPr id="3"', '<p:cNvPr id="2"'),
  fault(
    'section-of-no-slide',
    MAIN,
    '<p14:sldId id="257"/>',
    '<p14:sldId id="257"/><p14:sldId id="999"/>',
  ),
  fault('slide-in-no-section', MAIN, '<p14:sldId id="257"/>', ''),
  fault('text-without-paragraph', ONE, /(<a:bodyPr\/><a:lstStyle\/>)<a:p>.*?<\/a:p>/, '$1'),
  fault('table-not-rectangular', TWO, /<a:gridCol [^>]*>/, ''),
  fault('span-without-cells', TWO, ' hMerge="1"', ''),
  fault(
    'master-or-layout-id-twice',
    'ppt/slideMasters/slideMaster1.xml',
    'id="2147483650"',
    'id="2147483649"',
  ),
  fault(
    'notes-of-no-slide',
    'ppt/notesSlides/_rels/notesSlide1.xml.rels',
    /slides\/slide1\.xml/,
    'slides/slide2.xml',
  ),
  fault(
    'chart-points-beyond-count',
    'ppt/charts/chart1.xml',
    '<c:ptCount val="2"/>',
    '<c:ptCount val="1"/>',
  ),
]
