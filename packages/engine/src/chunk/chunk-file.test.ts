import { factsOf, loadFormat } from '@filewright/documents'
import { type DocPath, type RelativePath, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { chunkFile } from './chunk-file.ts'

async function placesOf(path: string, text: string) {
  const name = { docPath: path.toLowerCase() as DocPath, path: path as RelativePath }
  const bytes = new TextEncoder().encode(text)
  const { language, chunks } = unwrap(
    await chunkFile({ format: factsOf('text').id, name, bytes }, loadFormat),
  )
  return { language, places: chunks.map(each => `${each.place} ${each.lineStart}-${each.lineEnd}`) }
}

const CSHARP = `using System;
namespace Shop.Billing
{
    public class BillingService
    {
        private int x;
        public decimal CalculateTaxes(Order order)
        {
            return 1;
        }
        public void Send() { }
        public void Send(int times) { }
    }
    public class Mailer
    {
        public void Send() { }
    }
}
`

test('code is split into its definitions, each by the shortest name that is unique', async () => {
  expect(await placesOf('src/Billing.cs', CSHARP)).toEqual({
    language: 'csharp',
    places: [
      'lines:1-3 1-3',
      'class:BillingService 4-6',
      'method:CalculateTaxes 7-10',
      'method:BillingService.Send 11-11',
      'method:BillingService.Send~2 12-12',
      'class:Mailer 14-15',
      'method:Mailer.Send 16-16',
    ],
  })
})

test.each([
  [
    'a.ts',
    'export const f = (a) => {\n  return a\n}\nexport class X {\n  m() {}\n}\nfunction g() {}\ninterface Q { a: string }\n',
    ['function:f 1-3', 'class:X 4-4', 'method:m 5-5', 'function:g 7-7', 'interface:Q 8-8'],
  ],
  [
    'a.py',
    '@dec\nclass A:\n  def b(self):\n    pass\n\ndef c():\n  pass\n',
    ['class:A 1-2', 'method:b 3-4', 'function:c 6-7'],
  ],
  [
    'a.go',
    'package a\n\nfunc (r *Repo) Find(x int) int { return 1 }\ntype T struct { a int }\nfunc F() {}\n',
    ['method:Find 3-3', 'type:T 4-4', 'function:F 5-5'],
  ],
  ['a.rs', 'impl Foo {\n  fn bar() {}\n}\nstruct S;\n', ['method:bar 2-2', 'struct:S 4-4']],
  [
    'a.cpp',
    'int A::f(int x) { return 1; }\nstruct S {\n  void g() {}\n};\n',
    ['method:f 1-1', 'struct:S 2-2', 'method:g 3-3'],
  ],
  ['a.java', 'class A {\n  int b() { return 1; }\n}\n', ['class:A 1-1', 'method:b 2-2']],
  ['a.rb', 'class A\n  def b\n  end\nend\n', ['class:A 1-1', 'method:b 2-3']],
  ['a.php', '<?php\nfunction c() {}\n', ['function:c 2-2']],
  [
    'a.md',
    'intro\n# One\ntext\n## Two\n```\n# no heading\n```\n# Three\n## Two\n',
    [
      'lines:1-1 1-1',
      'section:One 2-3',
      'section:One.Two 4-7',
      'section:Three 8-8',
      'section:Three.Two 9-9',
    ],
  ],
  ['a.txt', 'x\n'.repeat(70), ['lines:1-60 1-60', 'lines:61-70 61-70']],
])('%s has its own pieces', async (path, text, expected) => {
  const { places } = await placesOf(path, text)
  expect(places.filter(place => !place.startsWith('lines') || expected.includes(place))).toEqual(
    expected,
  )
})

test('code that does not parse is searched all the same', async () => {
  const { places } = await placesOf('broken.cs', 'class { { ( public void }}} int x =\n'.repeat(3))
  expect(places.length).toBeGreaterThan(0)
})

test('an image is found by what it is, not by words about its picture', async () => {
  const path = 'img/dot.png'
  const name = { docPath: path as DocPath, path: path as RelativePath }
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const { chunks } = unwrap(
    await chunkFile({ format: factsOf('image').id, name, bytes }, loadFormat),
  )
  expect(chunks.map(({ text }) => text)).toEqual([
    `img/dot.png: png image, 1 × 1 pixels, ${bytes.length} bytes`,
  ])
})
