import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
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
  W,
  zooDocument,
} from './zoo.contract.ts'

function apply(bytes: Uint8Array, operation: Operation): Uint8Array {
  const document = unwrap(docxFormat.open(bytes, NAME))
  unwrap(document.apply(logged([operation])))
  return toBytes(unwrap(document.content()), bytes)
}

const MARKDOWN = `# Plan

Some **bold** and *italic* text with \`code\`
and a [link](https://example.org/x).

1. one
2. two
   - inner
3. three

Text between.

1. again

> Quoted

\`\`\`
a  *b*
c
\`\`\`

| A | B |
|---|---|
| 1 | 2 |
`

describe('underscores in Markdown', () => {
  test.each([
    ['pay by ____ or ___, please', ['pay by ____ or ___, please']],
    ['_it_ and __bold__, snake_case', ['it', ' and ', 'bold', ', snake_case']],
  ])('%s', (markdown, texts) => {
    const body = bodyAfter(p('x'), { op: 'insert_markdown', after: 'p1', markdown })
    const found = [...body.matchAll(/<w:t[^>]*>([^<]*)</g)].map(([, text]) => text)
    expect(found).toEqual(['x', ...texts])
  })
})

describe('insert_markdown', () => {
  const insert: Operation = { op: 'insert_markdown', after: 'p1', markdown: MARKDOWN }

  test('uses the styles of the document and real numbering', () => {
    const { document, bytes } = openZoo({ body: p('Before') + p('After') })
    unwrap(document.apply(logged([insert])))
    const after = saved(document, bytes)
    const lines = shown(after.document).map(line => line.slice(line.indexOf('|') + 1))
    expect(lines.slice(0, 12)).toEqual([
      'Before',
      '# Plan',
      'Some **bold** and *italic* text with code and a [link](https://example.org/x).',
      '1 one',
      '2 two',
      expect.stringMatching(/^\S+ inner$/),
      '3 three',
      'Text between.',
      '1 again',
      'Quoted',
      'a  \\*b\\*⏎c',
      '[t1, row 1, column 1]',
    ])
    const xml = partText(after.bytes)
    expect(xml).toContain('<w:pStyle w:val="Heading1"/>')
    expect(xml).toContain('<w:pStyle w:val="Quote"/>')
    expect(xml).toContain('<w:tblHeader/>')
    expect(lines.at(-1)).toBe('After')
  })

  test('a refused table takes the edits of its cells with it, and moves no id of other blocks', () => {
    const bytes = zooDocument({ body: p('Before') })
    const document = unwrap(docxFormat.open(bytes, NAME))
    const markdown = 'One\n\n|A|B|\n|-|-|\n|1|2|\n\nTwo'
    unwrap(document.apply(logged([{ op: 'insert_markdown', after: 'p1', markdown }], 'tc_1')))
    const table = document.changes()[1]!
    const cell: Operation = {
      op: 'set_table',
      table: table.place.slice('new table '.length),
      cells: [{ row: 1, column: 1, value: 'changed' }],
    }
    const last: Operation = { op: 'replace_text', search: 'Two', replace: 'Three' }
    const log = [
      ...logged([{ op: 'insert_markdown', after: 'p1', markdown }], 'tc_1'),
      ...logged([cell, last], 'tc_2'),
    ]
    const all = unwrap(docxFormat.replay(bytes, log, new Set(), NAME))
    const some = unwrap(docxFormat.replay(bytes, log, new Set([table.id]), NAME))
    expect(some.dropped).toEqual([all.changes[3]!.id])
    const after = unwrap(docxFormat.open(toBytes(some.content, bytes), NAME))
    expect(shown(after).map(line => line.slice(line.indexOf('|') + 1))).toEqual([
      'Before',
      'One',
      'Three',
    ])
  })

  test.each<Operation>([
    { op: 'delete_paragraph', place: 'Old' },
    { op: 'replace_text', search: 'o', replace: 'u' },
    { op: 'set_style', place: 'body', style: 'heading 1' },
    { op: 'format_text', place: 'body', bold: true },
    { op: 'set_page_numbers' },
    { op: 'set_page', columns: 2 },
  ])('a refused block is missed by no later operation on it and on others: $op', operation => {
    const bytes = zooDocument({ body: p('One') + styled('Heading1', 'Two') + p('Three') })
    const made = [
      { op: 'insert_markdown', before: 'p1', markdown: '# Old\n\nMore' },
      { op: 'insert_section_break', after: 'p2' },
    ]
    for (const track of [false, { author: 'Ann' }]) {
      const log = [
        ...logged(
          made.map(own => ({ ...own, track })),
          'tc_1',
        ),
        ...logged([operation], 'tc_2'),
      ]
      const all = unwrap(docxFormat.replay(bytes, log, new Set(), NAME)).changes
      for (const { id } of all) {
        const some = unwrap(docxFormat.replay(bytes, log, new Set([id]), NAME))
        const left = [...some.changes.map(own => own.id), ...some.dropped, id]
        expect(new Set(left)).toEqual(new Set(all.map(own => own.id)))
      }
    }
  })

  test('takes time in proportion to its length', () => {
    const timeOf = (count: number) => {
      const { document } = openZoo({ body: p('Before') })
      const markdown = Array.from({ length: count }, (_, at) => `Paragraph ${at}`).join('\n\n')
      const before = process.cpuUsage().user
      unwrap(document.apply(logged([{ op: 'insert_markdown', after: 'p1', markdown }])))
      return process.cpuUsage().user - before
    }
    /** A busy machine adds to some of them. */
    const leastOf = (count: number) => Math.min(...[1, 2, 3].map(() => timeOf(count)))
    timeOf(500) // warm
    // ten times as much; it took a hundred times as long when each paragraph looked at all others
    expect(leastOf(4_500) / leastOf(450)).toBeLessThan(40)
  })

  test('goes to the end without a place, and a table there is followed by a paragraph', () => {
    const body = bodyAfter(p('x'), { op: 'insert_markdown', markdown: '|A|\n|-|\n|1|' })
    expect(body).toMatch(/^<w:p>.*<\/w:tbl><w:p\/>$/)
  })

  test('makes a list definition where the document has none', () => {
    const bytes = apply(
      zooDocument({
        body: p('x'),
        styles: `<w:styles xmlns:w="${W}"/>`,
        numbering: `<w:numbering xmlns:w="${W}"/>`,
      }),
      { op: 'insert_markdown', markdown: '- a\n- b\n\n1. c' },
    )
    const numbering = partText(bytes, 'word/numbering.xml')
    expect(numbering.split('<w:abstractNum ')).toHaveLength(3)
    expect(numbering.split('<w:num ')).toHaveLength(3)
    expect(numbering.lastIndexOf('<w:abstractNum ')).toBeLessThan(numbering.indexOf('<w:num '))
    expect(shown(unwrap(docxFormat.open(bytes, NAME))).map(line => line.split('|')[1])).toEqual([
      'x',
      '• a',
      '• b',
      '1 c',
    ])
  })

  test('as tracked changes: rejected it is the base, but for new list definitions', () => {
    const bytes = zooDocument({ body: p('Before') + p('After') })
    const markdown =
      '# Plan\n\nSome **bold** text\n\n> Quoted\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nend'
    const plain: Operation = { op: 'insert_markdown', after: 'p1', markdown }
    const tracked = apply(bytes, { ...plain, track: { author: 'Ann' } })
    expect(canonical(apply(tracked, { op: 'reject_revisions' }))).toEqual(canonical(bytes))
    expect(canonical(apply(tracked, { op: 'accept_revisions' }))).toEqual(
      canonical(apply(bytes, plain)),
    )
  })

  test('refuses links that run code', () => {
    const { document } = openZoo({ body: p('x') })
    const result = document.apply(
      logged([{ op: 'insert_markdown', markdown: '[a](javascript:x)' }]),
    )
    expect(result.ok ? '' : result.failure.message).toContain('no address')
  })
})

describe('clean', () => {
  const zoo = {
    body:
      p(
        '<w:commentRangeStart w:id="0"/>',
        'one',
        '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>',
        '<w:ins w:id="5" w:author="Bo Lee"><w:r><w:t>new</w:t></w:r></w:ins>',
        '<w:del w:id="6" w:author="Bo Lee"><w:r><w:delText>old</w:delText></w:r></w:del>',
        r('secret', '<w:vanish/>'),
        r('seen', '<w:vanish w:val="0"/>'),
      ) + styled('Quote', 'two'),
    parts: {
      'word/comments.xml': `<w:comments xmlns:w="${W}"><w:comment w:id="0" w:author="Cy Young">${p('Why?')}</w:comment></w:comments>`,
      'docProps/core.xml':
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>Bo Lee</dc:creator><dc:title>Plan</dc:title></cp:coreProperties>',
      '_rels/.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
    },
    links: [['rId9', 'comments', 'comments.xml']] as const,
  }

  test('removes everything and lists it', () => {
    const { document, bytes } = openZoo(zoo)
    const { results, warnings } = unwrap(document.apply(logged([{ op: 'clean' }])))
    expect(results[0]!.removed).toEqual([
      { what: 'comments', count: 1, items: ['Cy Young: "Why?"'] },
      { what: 'tracked changes (accepted)', count: 2, items: ['2 changes by Bo Lee'] },
      { what: 'hidden text', count: 1, items: ['"secret"'] },
      { what: 'properties', count: 2, items: ['creator "Bo Lee"', 'title "Plan"'] },
    ])
    expect(warnings).toEqual([])
    const after = saved(document, bytes)
    expect(shown(after.document)[0]).toBe('p1|onenewseen')
    for (const part of ['word/document.xml', 'word/comments.xml', 'docProps/core.xml'])
      expect(partText(after.bytes, part)).not.toMatch(
        /Bo Lee|Cy Young|secret|old|comment(Range|Ref)/,
      )
  })

  test('keeps what is not named, and the properties that the text shows', () => {
    const { document, bytes } = openZoo({
      ...zoo,
      body: zoo.body + p('<w:fldSimple w:instr=" TITLE "><w:r><w:t>Plan</w:t></w:r></w:fldSimple>'),
    })
    const { results } = unwrap(
      document.apply(logged([{ op: 'clean', remove: ['metadata', 'authors'] }])),
    )
    expect(results[0]!.message).toBe('Removed names of authors (3), properties (1).')
    const after = saved(document, bytes).bytes
    expect(partText(after, 'docProps/core.xml')).toContain('<dc:title>Plan</dc:title>')
    expect(partText(after)).toContain('w:author="Author"')
    expect(partText(after, 'word/comments.xml')).toContain('Why?')
  })

  test('says where names still stand', () => {
    const { document } = openZoo({
      ...zoo,
      parts: { ...zoo.parts, 'customXml/item1.xml': '<x>Bo Lee</x>' },
    })
    expect(unwrap(document.apply(logged([{ op: 'clean' }]))).warnings[0]).toContain(
      'custom XML (1)',
    )
  })

  test('has nothing to do in a clean document', () => {
    const { document } = openZoo({ body: p('x') })
    const result = document.apply(logged([{ op: 'clean' }]))
    expect(result.ok ? '' : result.failure.message).toContain('nothing to remove')
  })
})

test('Markdown is the first text of an empty document', () => {
  const { document, bytes } = openZoo({ body: '' })
  unwrap(document.apply(logged([{ op: 'insert_markdown', markdown: '# One\n\nTwo' }])))
  const { document: written } = saved(document, bytes)
  expect(shown(written).map(line => line.replace(/^\S*\|/, ''))).toEqual(['# One', 'Two'])
})

describe('a replay without one change', () => {
  const replayed = (body: string, operations: readonly Operation[], place: string) => {
    const bytes = zooDocument({ body })
    const log = logged(operations)
    const all = unwrap(docxFormat.replay(bytes, log, new Set(), NAME))
    const refused = all.changes.find(own => own.place.startsWith(place))!.id
    const some = unwrap(docxFormat.replay(bytes, log, new Set([refused]), NAME))
    const named = [refused, ...some.dropped, ...some.changes.map(({ id }) => id)]
    expect(named.toSorted()).toEqual(all.changes.map(({ id }) => id).toSorted())
    return partText(toBytes(some.content, bytes))
  }

  test('names what finds nothing to do, where a deletion now takes more', () => {
    const text = replayed(
      p('One.') + p('Two.'),
      [
        { op: 'delete_paragraph', place: 'p1-p2' },
        { op: 'delete_paragraph', place: 'p2', track: { author: 'Ann' } },
      ],
      'paragraph 1',
    )
    expect(text).toContain('One.')
    expect(text).not.toContain('Two.')
  })

  test('goes on past a line of a header that is not made', () => {
    const header = (text: string) => ({ op: 'set_header', text })
    const text = replayed(
      p('One.'),
      [header('a\nb'), header('c\nd\ne'), { op: 'replace_text', search: 'One', replace: 'Two' }],
      'new paragraph',
    )
    expect(text).toContain('Two.')
  })
})
