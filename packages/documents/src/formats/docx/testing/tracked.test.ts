import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { corpusFiles, hasCorpus, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { docxFormat } from '../format.ts'
import { canonical } from './canonical.contract.ts'
import {
  bodyAfter,
  logged,
  NAME,
  openZoo,
  p,
  partText,
  r,
  saved,
  shown,
  styled,
  zooDocument,
} from './zoo.contract.ts'

const track = { author: 'Ann' }
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

function applied(bytes: Uint8Array, operations: readonly Operation[]): Uint8Array {
  const document = unwrap(docxFormat.open(bytes, NAME))
  unwrap(document.apply(logged(operations), ALLOWED))
  return toBytes(unwrap(document.content()), bytes)
}

/** Rejected it is the base; accepted it is the edit without tracking. */
function tracked(bytes: Uint8Array, operations: readonly Operation[]): void {
  const edited = applied(
    bytes,
    operations.map(operation => ({ ...operation, track })),
  )
  const rejected = applied(edited, [{ op: 'reject_revisions', author: 'Ann' }])
  expect(canonical(rejected)).toEqual(canonical(bytes))
  const accepted = applied(edited, [{ op: 'accept_revisions' }])
  const plain = applied(
    bytes,
    operations.map(own => ({ ...own, track: false })),
  )
  const others = unwrap(unwrap(docxFormat.open(plain, NAME)).map()).fields.revisions
  const settled = others ? applied(plain, [{ op: 'accept_revisions' }]) : plain
  expect(canonical(accepted)).toEqual(canonical(settled))
}

const letter = zooDocument({
  body: [
    styled('Heading1', 'Terms'),
    p('The ', r('buy', '<w:b/>'), r('er pays', '<w:i/>'), ' in advance.'),
    p('The seller delivers.'),
    styled('ListNumber', 'First'),
    styled('ListNumber', 'Second'),
    p('The end of the seller.'),
  ].join(''),
})

describe('our edits as tracked changes', () => {
  test.each<[string, Operation]>([
    ['a phrase across runs', { op: 'replace_text', search: 'buyer pays', replace: 'client pays' }],
    ['a phrase at every place', { op: 'replace_text', search: 'seller', replace: 'vendor' }],
    ['words that go', { op: 'replace_text', search: ' in advance', replace: '' }],
    ['words that come', { op: 'replace_text', search: 'The seller', replace: 'The old seller' }],
    [
      'a paragraph set',
      { op: 'set_paragraph', place: 'p3', text: 'The seller **never** delivers late.' },
    ],
    ['a paragraph inserted', { op: 'insert_paragraph', after: 'p4', text: 'Between' }],
    ['paragraphs inserted before', { op: 'insert_paragraph', before: 'p2', text: ['A', 'B'] }],
    ['a paragraph at the end', { op: 'append_paragraph', text: 'Last.' }],
    [
      'a paragraph in another style at the end',
      { op: 'append_paragraph', text: 'Last.', style: 'Quote' },
    ],
    [
      'several paragraphs in another style at the end',
      { op: 'append_paragraph', text: ['One.', 'Two.'], style: 'Quote' },
    ],
    ['a paragraph deleted', { op: 'delete_paragraph', place: 'p4' }],
    ['several paragraphs deleted', { op: 'delete_paragraph', place: 'p2-p4' }],
    ['a paragraph moved', { op: 'move_paragraph', place: 'p5', before: 'p2' }],
  ])('%s: rejected it is the base, accepted the plain edit', (_, operation) =>
    tracked(letter, [operation]),
  )

  test.each([
    ['a link', '<w:hyperlink w:anchor="x"><w:r><w:t>linked</w:t></w:r></w:hyperlink>'],
    ['a field', '<w:fldSimple w:instr=" SEQ Figure "><w:r><w:t>1</w:t></w:r></w:fldSimple>'],
  ])('a paragraph with %s is moved or deleted whole, and comes back whole', (what, inside) => {
    const bytes = zooDocument({
      body: [p('One'), p('with ', inside, ' in it'), p('Three')].join(''),
    })
    tracked(bytes, [{ op: 'move_paragraph', place: 'p2', before: 'p1' }])
    tracked(bytes, [{ op: 'delete_paragraph', place: 'p2' }])
    if (what === 'a link') tracked(bytes, [{ op: 'replace_text', search: 'linked', replace: '' }])
    // a move may not stand around a link or a field
    const edited = applied(bytes, [{ op: 'move_paragraph', place: 'p2', before: 'p1', track }])
    expect(partText(edited, 'word/document.xml')).not.toMatch(
      /<w:move(?:From|To) [^>]*><w:(?:hyperlink|fldSimple)/,
    )
  })

  test.each([
    ['a content control', '<w:sdt><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt>'],
    [
      'a picture or drawing',
      '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x"/></wp:inline></w:drawing></w:r>',
    ],
    ['a footnote', '<w:r><w:footnoteReference w:id="2"/></w:r>'],
  ])('%s cannot stand at both places of a tracked move', (what, inside) => {
    const { document } = openZoo({ body: [p('One'), p('with ', inside), p('Three')].join('') })
    const moved = document.apply(
      logged([{ op: 'move_paragraph', place: 'p2', before: 'p1', track }]),
    )
    expect(moved).toMatchObject({
      failure: { code: 'CONFLICT', message: expect.stringContaining(`it holds ${what}`) },
    })
    unwrap(document.apply(logged([{ op: 'move_paragraph', place: 'p2', before: 'p1' }])))
  })

  verifies(
    'CONTRACT §4 tracked when asked',
    'are made when asked for, tight around the changed words',
    () => {
      const xml = bodyAfter(p('one two three'), {
        op: 'replace_text',
        search: 'one two three',
        replace: 'one 2 three',
        track,
      })
      expect(xml).toMatch(
        /<w:del [^>]*w:author="Ann"[^>]*><w:r><w:delText>two<\/w:delText><\/w:r><\/w:del>/,
      )
      expect(xml).toMatch(/<w:ins [^>]*><w:r><w:t>2<\/w:t><\/w:r><\/w:ins>/)
    },
  )

  test("inside somebody's insertion a deletion nests, and our own insertion is simply removed", () => {
    const ins =
      '<w:ins w:id="7" w:author="Bob" w:date="2020-01-01T00:00:00Z"><w:r><w:t>one two</w:t></w:r></w:ins>'
    const bob = bodyAfter(p(ins), { op: 'replace_text', search: ' two', replace: '', track })
    expect(bob).toMatch(
      /<w:ins w:id="7" w:author="Bob"[^>]*><w:r><w:t>one<\/w:t><\/w:r><w:del [^>]*Ann[^>]*><w:r><w:delText[^>]*> two/,
    )
    const own = bodyAfter(p(ins.replace('Bob', 'Ann')), {
      op: 'replace_text',
      search: ' two',
      replace: '',
      track,
    })
    expect(own).not.toContain('w:del')
    expect(own).toContain('<w:t>one</w:t>')
  })

  test('a moved paragraph leaves nothing of its link and its spelling marks when the move is rejected', () => {
    const misspelled = `<w:proofErr w:type="spellStart"/>${r('TrialShare')}<w:proofErr w:type="spellEnd"/>`
    const body = `${p('See ', `<w:hyperlink w:anchor="x">${misspelled}</w:hyperlink>`, misspelled)}${p('Last')}`
    const bytes = zooDocument({ body })
    const moved = applied(bytes, [{ op: 'move_paragraph', place: 'p1', after: 'p2', track }])
    expect(canonical(applied(moved, [{ op: 'reject_revisions' }]))).toEqual(canonical(bytes))
  })

  test('the borders of a settled move go with it, wherever they stand', () => {
    const border = (name: string, more = '') => `<w:${name} w:id="9"${more}/>`
    const named = ' w:author="Bob" w:name="move9"'
    const gone = `<w:moveTo w:id="10" w:author="Bob"><w:del w:id="11" w:author="Bob"><w:r><w:delText>a</w:delText></w:r></w:del></w:moveTo>`
    const body =
      p('One ', border('moveToRangeStart', named), gone) +
      p('Two', border('moveToRangeEnd'), '<w:r><w:t>!</w:t></w:r>')
    expect(bodyAfter(body, { op: 'accept_revisions' })).not.toMatch(/move|Bob/)
    const one = bodyAfter(body, { op: 'accept_revisions', ids: ['11'] })
    expect(one).not.toContain('moveToRangeStart')
    const kept = body.replace(
      '<w:moveTo ',
      `<w:moveTo w:id="12" w:author="Bob">${r('b')}</w:moveTo>$&`,
    )
    expect(bodyAfter(kept, { op: 'accept_revisions', ids: ['11'] })).toContain('moveToRangeStart')
  })

  test('a bookmark and a comment that reach out of a settled deletion keep both ends', () => {
    const gone = '<w:r><w:delText>gone</w:delText></w:r>'
    const body = p(
      '<w:bookmarkStart w:id="1" w:name="a"/>',
      r('One '),
      `<w:del w:id="5" w:author="Bob">${gone}<w:bookmarkEnd w:id="1"/><w:commentRangeStart w:id="3"/>${gone}<w:bookmarkStart w:id="2" w:name="b"/><w:bookmarkEnd w:id="2"/></w:del>`,
      r('two'),
      '<w:commentRangeEnd w:id="3"/>',
    )
    expect(bodyAfter(body, { op: 'accept_revisions' })).toBe(
      p(
        '<w:bookmarkStart w:id="1" w:name="a"/>',
        r('One '),
        '<w:bookmarkEnd w:id="1"/><w:commentRangeStart w:id="3"/>',
        r('two'),
        '<w:commentRangeEnd w:id="3"/>',
      ),
    )
  })

  test.each([
    [
      'in its old look',
      '<w:rPrChange w:id="6" w:author="B"><w:rPr><w:ins w:id="5" w:author="B"/></w:rPr></w:rPrChange>',
    ],
    ['as moved here', '<w:moveTo w:id="6" w:author="B"/>'],
  ])('a mark that is inserted and again %s settles once', (_, more) => {
    const body = `<w:p><w:pPr><w:rPr><w:ins w:id="5" w:author="B"/><w:b/>${more}</w:rPr></w:pPr>${r('One')}</w:p>${p('two')}`
    expect(bodyAfter(body, { op: 'reject_revisions' })).toBe(p('One', 'two'))
    const { document } = openZoo({ body })
    const none = document.apply(logged([{ op: 'accept_revisions' }]))
    expect(unwrap(none).results[0]).toMatchObject({ count: 2 })
  })

  test('mark an inserted paragraph that is deleted again in the order of the schema', () => {
    const mark = '<w:pPr><w:rPr><w:ins w:id="7" w:author="Bob"/></w:rPr></w:pPr>'
    const xml = bodyAfter(p(mark, 'one') + p('two'), { op: 'delete_paragraph', place: 'p1', track })
    expect(xml).toMatch(/<w:rPr><w:ins [^>]*Bob[^>]*><w:del [^>]*Ann[^>]*><\/w:rPr>/)
  })

  test('have ids that occur in no other part', () => {
    const ins = '<w:ins w:id="41" w:author="Bob"><w:r><w:t>one two</w:t></w:r></w:ins>'
    const xml = bodyAfter(p(ins), { op: 'replace_text', search: 'two', replace: '2', track })
    const ids = [...xml.matchAll(/w:id="(\d+)"/g)].map(match => match[1])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('a document that records changes', () => {
  const on = { body: p('one two'), settings: '<w:trackRevisions/>' }
  const edit = { op: 'replace_text', search: 'two', replace: '2' }

  verifies(
    ['CONTRACT §4 tracked when on', 'CONTRACT §4 tracking switch stays'],
    'gets tracked changes unless told not to, and keeps its switch',
    () => {
      const { document, bytes } = openZoo(on)
      unwrap(document.apply(logged([edit])))
      const after = saved(document, bytes).bytes
      expect(partText(after)).toContain('<w:ins ')
      expect(partText(after, 'word/settings.xml')).toBe(partText(bytes, 'word/settings.xml'))
      const plain = openZoo(on)
      unwrap(plain.document.apply(logged([{ ...edit, track: false }])))
      expect(partText(saved(plain.document, plain.bytes).bytes)).not.toContain('<w:ins ')
    },
  )

  verifies(
    'CONTRACT §4 tracked when demanded',
    'whose protection demands it gets them always, and refuses what has no such form',
    () => {
      const settings = '<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
      const { document, bytes } = openZoo({ body: p('one two'), settings })
      unwrap(document.apply(logged([{ ...edit, track: false }])))
      expect(partText(saved(document, bytes).bytes)).toContain('<w:ins ')
      const refused = document.apply(logged([{ op: 'accept_revisions' }], 'tc_2'))
      expect(refused.ok ? '' : refused.failure.code).toBe('PROTECTED')
    },
  )

  test('reads as if all were accepted, and says that there are some', () => {
    const body = p(
      'a',
      '<w:del w:id="1" w:author="B"><w:r><w:delText>gone</w:delText></w:r></w:del>',
      '<w:ins w:id="2" w:author="B"><w:r><w:t>new</w:t></w:r></w:ins>',
    )
    const { document } = openZoo({ body })
    expect(shown(document)[0]).toBe('p1|anew')
    expect(shown(document).at(-1)).toContain('2 tracked changes')
    expect(shown(document, { view: 'marked' })[0]).toBe('p1|a{--gone--}{++new++}')
    expect(shown(document, { view: 'original' })[0]).toBe('p1|agone')
    const refused = document.apply(logged([{ op: 'replace_text', search: 'gone', replace: 'x' }]))
    expect(refused.ok).toBe(false)
  })
})

/** What a word may stand in that its text is not decided by (data, a field), or that takes no paragraph beside it. */
const REFUSED =
  /of the document's data|is the result of|crosses the border of a|is all that a content control/
const files = sampleOf(
  corpusFiles(({ file, category }) => category === 'docx' && /\.(docx|docm|dotx)$/.test(file)),
  6,
)

describe.skipIf(!hasCorpus)('real documents', () => {
  test.each(files)('$file: tracked edits rejected are the base, accepted the plain edits', file => {
    const bytes = readCorpusFile(file)
    const document = unwrap(docxFormat.open(bytes, NAME))
    const { paragraphs } = unwrap(document.read({}, { maxBytes: 30_000 })).fields as {
      paragraphs: { id: string; text: string }[]
    }
    const word = paragraphs.map(({ text }) => /\p{L}{5,}/u.exec(text)?.[0]).find(Boolean)
    const first = paragraphs.find(({ text }) => /^[\p{L} ,.]+$/u.test(text))
    const operations: Operation[] = [
      ...(word === undefined ? [] : [{ op: 'replace_text', search: word, replace: 'changed' }]),
      ...(first === undefined ? [] : [{ op: 'insert_paragraph', after: first.id, text: 'New.' }]),
    ]
    const isRefused = (operation: Operation) => {
      const trial = unwrap(docxFormat.open(bytes, NAME)).apply(
        logged([{ ...operation, track }]),
        ALLOWED,
      )
      if (!trial.ok) expect(trial.failure.message).toMatch(REFUSED)
      return !trial.ok
    }
    const { protection } = unwrap(document.map()).fields
    const done = operations.filter(operation => !isRefused(operation))
    if (done.length > 0 && protection !== 'trackedChanges') tracked(bytes, done)
  })
})

describe('moves that somebody tracked', () => {
  const body = [
    p('One.'),
    '<w:p><w:moveToRangeStart w:id="2" w:author="Ann" w:name="move1"/><w:moveTo w:id="3" w:author="Ann"><w:r><w:t>Goes.</w:t></w:r></w:moveTo></w:p>',
    p('Two.'),
    '<w:p><w:moveFromRangeStart w:id="5" w:author="Ann" w:name="move1"/><w:moveToRangeEnd w:id="2"/><w:moveFrom w:id="6" w:author="Ann"><w:r><w:t>Goes.</w:t></w:r></w:moveFrom><w:moveFromRangeEnd w:id="5"/></w:p>',
    p('Three.'),
  ].join('')

  test.each(['accept_revisions', 'reject_revisions'])('%s of one side settles both', op => {
    const whole = bodyAfter(body, { op })
    expect(whole.match(/Goes\./g)).toHaveLength(1)
    expect(whole).not.toContain('w:move')
    expect(bodyAfter(body, { op, place: 'p2' })).toBe(whole)
    expect(bodyAfter(body, { op, place: 'p4' })).toBe(whole)
    expect(bodyAfter(body, { op, ids: ['6'] })).toBe(whole)
  })

  test('a refused move stays whole, in one change', () => {
    const bytes = zooDocument({ body })
    const log = logged([{ op: 'accept_revisions' }])
    const { changes } = unwrap(docxFormat.replay(bytes, log, new Set(), NAME))
    expect(changes.map(({ place }) => place)).toEqual(['paragraph 2'])
  })
})
