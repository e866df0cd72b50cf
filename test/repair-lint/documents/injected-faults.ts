import type { InjectedFault } from '../injected-fault.ts'

const BODY = 'word/document.xml'
const COMMENTS = 'word/comments.xml'
const FOOTNOTES = 'word/footnotes.xml'
const ENDNOTES = 'word/endnotes.xml'
const HEADER = 'word/header1.xml'
const STYLES = 'word/styles.xml'
const NUMBERING = 'word/numbering.xml'

/** Replaces the first of something in a part. */
function fault(
  rule: string,
  part: string,
  from: string | RegExp,
  to: string,
  also: readonly string[] = [],
): InjectedFault {
  return {
    rule: `docx/${rule}`,
    part,
    damage: xml => xml.replace(from, to),
    also: also.map(own => `docx/${own}`),
  }
}

export const DOCUMENT_FAULTS: readonly InjectedFault[] = [
  fault('bookmark-without-pair', BODY, '<w:bookmarkEnd w:id="50"/>', ''),
  fault('bookmark-without-pair', BODY, '<w:bookmarkStart w:id="51" w:name="b2"/>', '', [
    'link-to-missing-bookmark',
  ]),
  fault(
    'bookmark-without-pair',
    BODY,
    /(<w:bookmarkStart w:id="50"[^>]*>)(.*?)(<w:bookmarkEnd w:id="50"\/>)/,
    '$3$2$1',
  ),
  fault('comment-range-without-pair', BODY, '<w:commentRangeEnd w:id="2"/>', ''),
  fault('permission-without-pair', BODY, '<w:permEnd w:id="60"/>', ''),
  fault('move-from-without-pair', BODY, '<w:moveFromRangeEnd w:id="90"/>', ''),
  fault('move-to-without-pair', BODY, '<w:moveToRangeEnd w:id="92"/>', ''),
  fault(
    'bookmark-id-twice',
    BODY,
    /<w:bookmarkStart w:id="51"(.*?)<w:bookmarkEnd w:id="51"/,
    '<w:bookmarkStart w:id="50"$1<w:bookmarkEnd w:id="50"',
  ),
  fault('bookmark-name-twice', BODY, 'w:name="b2"', 'w:name="B1"', ['link-to-missing-bookmark']),
  fault(
    'move-without-partner',
    BODY,
    /(<w:moveToRangeStart w:id="92" w:name=)"move1"/,
    '$1"move2"',
  ),
  fault('field-not-closed', BODY, '<w:r><w:fldChar w:fldCharType="end"/></w:r>', ''),
  fault('field-not-closed', BODY, '<w:r><w:fldChar w:fldCharType="begin"/></w:r>', ''),
  fault('comment-without-anchor', BODY, '<w:commentReference w:id="2"/>', ''),
  fault('anchor-without-comment', COMMENTS, /<w:comment w:id="1".*?<\/w:comment>/, '', [
    'thread-without-comment',
  ]),
  fault(
    'comment-id-twice',
    BODY,
    '<w:commentReference w:id="2"/>',
    '<w:commentReference w:id="2"/><w:commentReference w:id="2"/>',
  ),
  fault(
    'thread-without-comment',
    'word/commentsExtended.xml',
    'w15:paraIdParent="0000000A"',
    'w15:paraIdParent="000000FF"',
  ),
  fault(
    'thread-without-comment',
    'word/commentsIds.xml',
    'w16cid:paraId="0000000C"',
    'w16cid:paraId="000000FF"',
  ),
  fault('footnote-without-anchor', BODY, '<w:footnoteReference w:id="4"/>', ''),
  fault('anchor-without-footnote', FOOTNOTES, /<w:footnote w:id="4">.*?<\/w:footnote>/, ''),
  fault('footnote-id-twice', FOOTNOTES, /<w:footnote w:id="4">.*?<\/w:footnote>/, '$&$&'),
  fault('endnote-without-anchor', BODY, '<w:endnoteReference w:id="2"/>', ''),
  fault('anchor-without-endnote', ENDNOTES, /<w:endnote w:id="2">.*?<\/w:endnote>/, ''),
  fault(
    'endnote-id-twice',
    BODY,
    '<w:endnoteReference w:id="2"/>',
    '<w:endnoteReference w:id="2"/><w:endnoteReference w:id="2"/>',
  ),
  fault('note-outside-body', HEADER, '</w:p>', '<w:r><w:footnoteReference w:id="4"/></w:r></w:p>', [
    'footnote-id-twice',
  ]),
  fault('note-separator-missing', 'word/settings.xml', 'w:id="-1"', 'w:id="-9"'),
  fault('revision-id-twice', BODY, '<w:del w:id="81"', '<w:del w:id="80"'),
  fault('drawing-id-twice', BODY, '<wp:docPr id="2"', '<wp:docPr id="1"'),
  fault('content-control-id-twice', BODY, '<w:id w:val="72"/>', '<w:id w:val="71"/>'),
  fault('paragraph-id-twice', COMMENTS, '0000000B', '0000000A', ['thread-without-comment']),
  fault('paragraph-id-twice', COMMENTS, '0000000B', 'F0000000', ['thread-without-comment']),
  fault('style-missing', BODY, '<w:pStyle w:val="Heading1"/>', '<w:pStyle w:val="Gone"/>'),
  fault('style-missing', BODY, '<w:pStyle w:val="Heading1"/>', '<w:pStyle w:val="TableGrid"/>'),
  fault('style-based-on-nothing', STYLES, /<w:basedOn w:val="[^"]*"/, '<w:basedOn w:val="Gone"'),
  fault(
    'style-based-on-nothing',
    STYLES,
    /(w:styleId="Heading1".*?)<w:basedOn w:val="[^"]*"/s,
    '$1<w:basedOn w:val="Heading1"',
  ),
  fault('style-id-twice', STYLES, /<w:style (?:(?!<\/w:style>).)*<\/w:style>/s, '$&$&'),
  fault('list-missing', BODY, '<w:numId w:val="1"/>', '<w:numId w:val="99"/>'),
  fault('list-missing', NUMBERING, /(<w:num .*?<w:abstractNumId w:val=)"[^"]*"/s, '$1"99"'),
  fault('list-id-twice', NUMBERING, /<w:num .*?<\/w:num>/s, '$&$&'),
  fault(
    'list-before-its-definition',
    NUMBERING,
    /(<w:abstractNum .*<\/w:abstractNum>)(\s*)(<w:num .*<\/w:num>)/s,
    '$3$1',
  ),
  fault('link-to-missing-bookmark', BODY, 'w:anchor="b2"', 'w:anchor="gone"'),
  fault('link-to-missing-bookmark', BODY, 'REF b1', 'REF gone'),
  fault('nesting', BODY, '<w:r><w:t>there</w:t></w:r>', '<w:r><w:r><w:t>there</w:t></w:r></w:r>'),
  fault('nesting', BODY, /<w:p>(<w:bookmarkStart w:id="50".*?)<\/w:p>/, '<w:p><w:p>$1</w:p></w:p>'),
  fault(
    'properties-not-first',
    BODY,
    /(<w:pPr><w:pStyle w:val="Heading1"\/><\/w:pPr>)(<w:r>.*?<\/w:r>)/,
    '$2$1',
  ),
  fault('section-misplaced', BODY, /(<w:sectPr><w:pgSz.*?<\/w:sectPr>)/, '$1<w:p/>'),
  fault('section-misplaced', HEADER, '<w:p>', '<w:p><w:pPr><w:sectPr/></w:pPr>'),
  fault('header-twice', BODY, /<w:headerReference[^>]*>/, '$&$&'),
  fault('header-of-another-kind', BODY, '<w:headerReference', '<w:footerReference'),
  fault('deleted-text', BODY, '<w:delText>old</w:delText>', '<w:t>old</w:t>'),
  fault('deleted-text', BODY, '<w:t>new</w:t>', '<w:delText>new</w:delText>'),
  fault('space-lost', BODY, '<w:t>new</w:t>', '<w:t>new </w:t>'),
  fault('content-control-without-content', BODY, /<w:sdtContent>.*?<\/w:sdtContent>/, ''),
  fault('story-without-paragraph', HEADER, /<w:p>.*<\/w:p>/, ''),
  fault('table-without-row', BODY, /<w:tr>.*?<\/w:tr><w:tr>.*?<\/w:tr>/, ''),
  fault('table-without-row', BODY, /<w:tr>.*?<\/w:tr>/, '<w:tr/>'),
  fault('cell-without-paragraph', BODY, /(<w:tc>.*?)<w:p>.*?<\/w:p>/, '$1'),
  fault('table-grid', BODY, '<w:gridCol w:w="2000"/>', ''),
  fault('merge-without-start', BODY, '<w:vMerge w:val="restart"/>', ''),
]
