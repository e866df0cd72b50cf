import { unwrap } from '@filewright/protocol'
import { beforeAll, expect, test } from 'vitest'
import { corpusFiles, hasCorpus, readCorpusFile } from '../../corpus.contract.ts'
import type { DocumentName, ReadableFormat } from '../../format.ts'
import { startSvg } from './format.ts'
import { toHarmless } from './harmless.ts'

const NAME = { docPath: 'a.svg', path: 'A.svg' } as DocumentName
const MANY = { maxBytes: 46_000 }
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">\n<script>alert(1)</script>\n<rect width="50" height="50" fill="red"/>\n</svg>\n'

let svg: ReadableFormat
beforeAll(async () => {
  svg = await startSvg()
})

test('a drawing is read as its text, and drawn where a part of it is asked for', () => {
  const document = unwrap(svg.open(Buffer.from(SVG), NAME))
  expect(unwrap(document.map()).fields).toMatchObject({
    kind: 'svg',
    width: 200,
    height: 100,
    lineCount: 4,
  })
  expect(unwrap(document.read({ line_start: 3, line_count: 1 }, MANY)).text).toContain(
    '3|<rect width="50"',
  )
  const { pictures } = unwrap(document.read({ crop: [0, 0, 0.5, 1] }, MANY))
  expect(pictures).toMatchObject([{ mediaType: 'image/jpeg' }])
  expect(pictures![0]!.width).toBe(pictures![0]!.height)
})

test('what reaches beyond a drawing is gone before it is drawn', () => {
  const wild =
    '<svg onload="go()"><script>x()</script><image href="/etc/secret.png"/><image xlink:href=\'https://x/y.png\'/><use href="#a"/><image href="data:image/png;base64,AA"/><style>@import "b.css"; a{fill:url(#g);b:url(c.svg)}</style><foreignObject><p/></foreignObject></svg>'
  const harmless = toHarmless(wild)!
  expect(harmless).not.toMatch(/secret|https|script|onload|foreignObject|import|c\.svg/)
  expect(harmless).toContain('<use href="#a"/><image href="data:image/png;base64,AA"/>')
  expect(harmless).toContain('url(#g)')
  expect(toHarmless('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')).toBeUndefined()
})

test('a drawing that cannot be drawn is still text', () => {
  const broken = unwrap(svg.open(Buffer.from('<svg width="10" height="10"><g>'), NAME))
  const { pictures, text } = unwrap(broken.read({ crop: [0, 0, 1, 1] }, MANY))
  expect(pictures).toBeUndefined()
  expect(text).toContain('It cannot be drawn here; read its lines without crop.')
  expect(broken.read({}, MANY).ok).toBe(true)
})

test.skipIf(!hasCorpus)('the drawing of the corpus has a size and can be drawn', () => {
  const [file] = corpusFiles(({ file: path }) => path.endsWith('.svg'))
  const document = unwrap(svg.open(readCorpusFile(file!), NAME))
  expect(unwrap(document.map()).fields.width).toBeGreaterThan(10)
  expect(unwrap(document.read({ crop: [0, 0, 1, 1] }, MANY)).pictures).toHaveLength(1)
})
