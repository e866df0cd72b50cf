import { expect, test } from 'vitest'
import { around, contextOf } from './context-lines.ts'

const DIFF = `--- a/x
+++ b/x
@@ -3,6 +3,6 @@
 three
 four
-five
+FIVE
 six
 seven
 eight
`

test('the lines around a change come from its diff', () => {
  expect(around(contextOf(DIFF), 5, 1)).toEqual({
    above: [
      { number: 3, text: 'three' },
      { number: 4, text: 'four' },
    ],
    below: [
      { number: 6, text: 'six' },
      { number: 7, text: 'seven' },
    ],
  })
  expect(around(contextOf(''), 1, 1)).toEqual({ above: [], below: [] })
})
