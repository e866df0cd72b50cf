import { expect, test } from 'vitest'
import { toPlaceWords } from './place-words.ts'

test.each([
  ['new paragraph n1ngwrib', 'new paragraph'],
  ['new paragraph header1/n28mlxj', 'new paragraph'],
  ['new slide 303541447', 'new slide'],
  ['slide 2 › Title 1 #2', 'slide 2 › Title 1'],
  ['slide 2 › Costs #3 #7, row 2, column 1', 'slide 2 › Costs #3, row 2, column 1'],
  ['after p30', 'after paragraph 30'],
  ['before header1/p2', 'before header1 paragraph 2'],
  ['after t2', 'after table 2'],
  ['after n1ngwrib', 'after another new paragraph'],
  ['after new slide 303541447, layout Title', 'after another new slide, layout Title'],
])('%s is read as %s', (place, words) => expect(toPlaceWords(place)).toBe(words))

test.each(['Sales!C2', 'paragraph 12', 'line 3', 'slide 4', 'after notes', 'Chart #1 of Sales'])(
  '%s stays as it is',
  place => expect(toPlaceWords(place)).toBe(place),
)
