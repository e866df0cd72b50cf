import { toBytes } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from '../decode/text.ts'
import { arbitraryChanges, arbitraryText, insert, remove, replace } from '../patch-laws.contract.ts'
import { weave } from './apply-file-patch.ts'
import { renderUniform } from './render-uniform.ts'

test('a file whose lines all end alike gets the bytes that the weave gives it', () => {
  let compared = 0
  const uniform = fc
    .tuple(arbitraryText, fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\ufeff'))
    .map(([text, eol, bom]) => `${bom}${text.replace(/\r?\n/g, eol)}${eol}`)
  fc.assert(
    fc.property(
      uniform.chain(text => fc.tuple(fc.constant(text), arbitraryChanges(text))),
      fc.boolean(),
      ([text, changes], isUtf16) => {
        const bytes = isUtf16
          ? Buffer.from(text.startsWith('\ufeff') ? text : `\ufeff${text}`, 'utf16le')
          : Buffer.from(text)
        const doc = decodeText(bytes)
        const content = renderUniform(doc, { changes })
        if (!content) return
        compared++
        const woven = toBytes(weave(doc, { changes }), bytes)
        expect(Buffer.compare(toBytes(content, bytes), woven)).toBe(0)
      },
    ),
    { numRuns: 1000 },
  )
  expect(compared).toBeGreaterThan(900)
})

test('mixed line ends, a last line without one, an empty file and settings are left to the weave', () => {
  const render = (text: string, patch: Parameters<typeof renderUniform>[1]) =>
    renderUniform(decodeText(Buffer.from(text)), patch)
  const changes = [insert(0, 'x')]
  expect(render('a\r\nb\n', { changes })).toBeUndefined()
  expect(render('a\nb', { changes })).toBeUndefined()
  expect(render('', { changes })).toBeUndefined()
  expect(render('a\n', { changes, bom: true })).toBeUndefined()
  expect(render('a\n', { changes, eol: 'crlf' })).toBeUndefined()
  expect(render('a\n', { changes, finalNewline: true })).toBeUndefined()
})

test('changes that overlap are left to the weave', () => {
  const text = 'a\nb\nc\n'
  const changes = [replace(text, 1, 2, 'x', 'y'), remove(text, 2, 3)]
  expect(renderUniform(decodeText(Buffer.from(text)), { changes })).toBeUndefined()
})
