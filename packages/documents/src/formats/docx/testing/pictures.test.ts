import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { OpcPackage } from '../../../opc/index.ts'
import { pictureFacts } from '../../../pictures/picture-facts.ts'
import { docxFormat } from '../format.ts'
import { loggedWith, png } from './png.contract.ts'
import {
  NAME,
  openZoo,
  p,
  partText,
  saved,
  shown,
  type ZooDocument,
  zooDocument,
} from './zoo.contract.ts'

const LETTER: ZooDocument = { body: p('Above.') + p('Below.') }

function withPicture(document: ZooDocument, picture: Uint8Array, ...operations: Operation[]) {
  const { document: open, bytes } = openZoo(document)
  const { operations: log, inputs } = loggedWith('img/logo.png', picture, operations)
  const applied = open.apply(log, { inputs })
  return { applied, open, bytes, log, inputs, saved: () => saved(open, bytes) }
}

const INSERT = { op: 'insert_image', image: 'img/logo.png', after: 'p1' }

describe('insert_image', () => {
  test('adds part, type, link and drawing at the size of the picture', () => {
    const done = withPicture(LETTER, png(192, 96), { ...INSERT, alt: 'Our "logo"' })
    expect(unwrap(done.applied).results[0]!.message).toContain('5.1 × 2.5 cm')
    const { bytes, document } = done.saved()
    const body = partText(bytes)
    expect(body).toContain('cx="1828800" cy="914400"')
    expect(body).toContain('descr="Our &quot;logo&quot;"')
    const link = /r:embed="(\w+)"/.exec(body)![1]
    expect(partText(bytes, 'word/_rels/document.xml.rels')).toMatch(
      new RegExp(`Id="${link}"[^>]*Target="/word/media/image1.png"`),
    )
    expect(shown(document).join('\n')).toMatch(/Above\.\n.*⟦picture "Our 'logo'"⟧\n.*Below\./)
  })

  test('is never wider than the text, and keeps its proportions', () => {
    const done = withPicture(LETTER, png(4000, 1000), { ...INSERT, width: 40 })
    expect(unwrap(done.applied).results[0]!.message).toContain('15.9 × 4.0 cm')
  })

  test('takes the resolution that the picture names', () => {
    expect(pictureFacts(png(300, 300, 11_811))).toMatchObject({ type: 'image/png' })
    const { width } = pictureFacts(png(300, 300, 11_811)) as { width: number }
    expect(width).toBeCloseTo(72, 1)
  })

  test('a file that is no picture is refused with what works', () => {
    const refused = withPicture(LETTER, Buffer.from('no picture'), INSERT).applied
    expect(refused).toMatchObject({ ok: false, failure: { code: 'INVALID_ARGUMENT' } })
    if (!refused.ok) expect(refused.failure.message).toContain('png, jpeg')
  })

  test('is a tracked insertion where changes are tracked', () => {
    const done = withPicture(LETTER, png(10, 10), { ...INSERT, alt: 'A', track: { author: 'Ann' } })
    unwrap(done.applied)
    expect(partText(done.saved().bytes)).toMatch(
      /<w:ins [^>]*w:author="Ann"[^>]*><w:r[^>]*><w:drawing>/,
    )
  })

  test('refused, it leaves no part behind', () => {
    const { applied, log, inputs, bytes } = withPicture(LETTER, png(10, 10), INSERT)
    const ids = new Set(unwrap(applied).changes.map(({ id }) => id))
    const replayed = unwrap(docxFormat.replay(bytes, log, ids, NAME, inputs))
    expect(Buffer.compare(toBytes(replayed.content, bytes), bytes)).toBe(0)
  })
})

describe('replace_image', () => {
  const first = withPicture(LETTER, png(200, 100), { ...INSERT, alt: 'Old' })
  unwrap(first.applied)
  const { bytes: base } = first.saved()

  function replaced(picture: Uint8Array, operation: Partial<Operation> = {}) {
    const open = unwrap(docxFormat.open(base, NAME))
    const { operations, inputs } = loggedWith('new.png', picture, [
      { op: 'replace_image', image: 'new.png', ...operation },
    ])
    const applied = unwrap(open.apply(operations, { inputs }))
    return { applied, ...saved(open, base) }
  }

  test('shows the new picture in the old frame, in its own proportions', () => {
    const { bytes } = replaced(png(50, 50), { alt: 'New' })
    const body = partText(bytes)
    expect(body).toContain('cx="952500" cy="952500"')
    expect(body).toContain('descr="New"')
    expect(partText(bytes, 'word/_rels/document.xml.rels')).toContain('/word/media/image2.png')
    const link = /r:embed="(\w+)"/.exec(body)![1]
    expect(partText(bytes, 'word/_rels/document.xml.rels')).toMatch(
      new RegExp(`Id="${link}"[^>]*image2.png`),
    )
  })

  test('tracked, the old one is deleted and the new one inserted', () => {
    const body = partText(replaced(png(50, 50), { track: { author: 'Ann' } }).bytes)
    expect(body).toMatch(/<w:del [^>]*><w:r[^>]*>.*<w:drawing>.*<\/w:del><w:ins [^>]*><w:r[^>]*>/)
    const ids = [...body.matchAll(/<wp:docPr id="(\d+)"/g)].map(match => match[1])
    expect(new Set(ids).size).toBe(2)
  })

  test('names the pictures when it is not clear which is meant', () => {
    const two = withPicture(LETTER, png(5, 5), INSERT, { ...INSERT, after: 'p2' })
    unwrap(two.applied)
    const { bytes } = two.saved()
    const { operations, inputs } = loggedWith('n.png', png(1, 1), [
      { op: 'replace_image', image: 'n.png' },
    ])
    const refused = unwrap(docxFormat.open(bytes, NAME)).apply(operations, { inputs })
    expect(refused).toMatchObject({ ok: false })
    if (!refused.ok) expect(refused.failure.message).toContain('picture in p2, picture in p4')
  })
})

test('a picture that nothing shows any more leaves the package; one that is shown elsewhere stays', () => {
  const shows = (id: number) =>
    p(
      `<w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="9525"/><wp:docPr id="${id}" name="x"/><a:graphic><a:graphicData uri="x"><a:blip r:embed="rId8"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
    )
  const bytes = zooDocument({
    body: p('x') + shows(1) + p('y') + shows(2),
    links: [['rId8', 'image', 'media/image1.png']],
    parts: { 'word/media/image1.png': png(5, 5) },
  })
  const pictures = (own: Uint8Array) => {
    const media = unwrap(OpcPackage.open(own)).names.filter(name => name.includes('/media/'))
    const links = partText(own, 'word/_rels/document.xml.rels').match(/media\/[\w.]+/g)
    return { media, links }
  }
  const replaced = (from: Uint8Array, place: string, track: boolean) => {
    const open = unwrap(docxFormat.open(from, NAME))
    const operation = { op: 'replace_image', image: 'n.png', place, track }
    const { operations, inputs } = loggedWith('n.png', png(1, 1), [operation])
    unwrap(open.apply(operations, { inputs }))
    return saved(open, from).bytes
  }
  const one = replaced(bytes, 'p2', false)
  expect(pictures(one).media).toEqual(['word/media/image1.png', 'word/media/image2.png'])
  const tracked = replaced(one, 'p4', true)
  expect(pictures(tracked).media).toContain('word/media/image1.png')
  expect(pictures(replaced(one, 'p4', false))).toEqual({
    media: ['word/media/image2.png', 'word/media/image3.png'],
    links: ['media/image2.png', 'media/image3.png'],
  })
})

test('set_alt_text says what a picture shows, and has no tracked form', () => {
  const first = withPicture(LETTER, png(200, 100), INSERT)
  unwrap(first.applied)
  const { bytes } = first.saved()
  const open = unwrap(docxFormat.open(bytes, NAME))
  const { operations } = loggedWith('x', bytes, [
    { op: 'set_alt_text', alt: 'A tree', place: 'p2', track: true },
  ])
  const { warnings, changes } = unwrap(open.apply(operations))
  expect(warnings[0]).toContain('no form as a tracked change')
  expect(changes[0]).toMatchObject({ before: { text: '' }, after: { text: 'A tree' } })
  expect(shown(saved(open, bytes).document)[1]).toContain('⟦picture "A tree"⟧')
})
