import { p, r, W, type ZooDocument } from './zoo.contract.ts'

const W14 = 'http://schemas.microsoft.com/office/word/2010/wordml'
const W15 = 'http://schemas.microsoft.com/office/word/2012/wordml'
const CID = 'http://schemas.microsoft.com/office/word/2016/wordml/cid'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const mark = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`
const separator = (id: number, type: string) =>
  `<w:footnote w:type="${type}" w:id="${id}"><w:p><w:r><w:${type}/></w:r></w:p></w:footnote>`
const note = (id: number, text: string) =>
  `<w:footnote w:id="${id}"><w:p><w:r><w:footnoteRef/></w:r>${r(` ${text}`)}</w:p></w:footnote>`
const comment = (id: number, paraId: string, text: string) =>
  `<w:comment w:id="${id}" w:author="Ann" w:date="2026-01-01T00:00:00Z" w:initials="A"><w:p w14:paraId="${paraId}">${r(text)}</w:p></w:comment>`
const marked = (ids: readonly number[], text: string) =>
  `${ids.map(id => `<w:commentRangeStart w:id="${id}"/>`).join('')}${r(text)}${ids.map(id => `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`).join('')}`

/** Two footnotes; a comment with a reply, and another, in all the parts in which Word keeps them. */
export const annotated: ZooDocument = {
  body: [
    p(r('First'), mark(4), r(' and second'), mark(2), r('.')),
    p(marked([0, 1], 'Disputed'), r(' and '), marked([2], 'odd')),
  ].join(''),
  parts: {
    'word/footnotes.xml': `<w:footnotes xmlns:w="${W}">${separator(-1, 'separator')}${separator(0, 'continuationSeparator')}${note(2, 'Two')}${note(4, 'One')}</w:footnotes>`,
    'word/comments.xml': `<w:comments xmlns:w="${W}" xmlns:w14="${W14}">${comment(0, '0000000A', 'Why?')}${comment(1, '0000000B', 'Because.')}${comment(2, '0000000C', 'Hm')}</w:comments>`,
    'word/commentsExtended.xml': `<w15:commentsEx xmlns:w15="${W15}"><w15:commentEx w15:paraId="0000000A" w15:done="0"/><w15:commentEx w15:paraId="0000000B" w15:paraIdParent="0000000A" w15:done="0"/><w15:commentEx w15:paraId="0000000C" w15:done="0"/></w15:commentsEx>`,
    'word/commentsIds.xml': `<w16cid:commentsIds xmlns:w16cid="${CID}"><w16cid:commentId w16cid:paraId="0000000A" w16cid:durableId="11111111"/><w16cid:commentId w16cid:paraId="0000000B" w16cid:durableId="22222222"/><w16cid:commentId w16cid:paraId="0000000C" w16cid:durableId="33333333"/></w16cid:commentsIds>`,
  },
  links: [
    ['rId21', 'footnotes', 'footnotes.xml'],
    ['rId22', 'comments', 'comments.xml'],
    ['rId23', 'commentsExtended', 'commentsExtended.xml'],
    ['rId24', 'commentsIds', 'commentsIds.xml'],
  ],
  types: ['footnotes', 'comments', 'commentsExtended', 'commentsIds']
    .map(name => `<Override PartName="/word/${name}.xml" ContentType="${WORD}.${name}+xml"/>`)
    .join(''),
}
