import { expect, test } from 'vitest'
import { joinPlaces } from './join-places.ts'

test.each([
  { places: ['S!A1', 'S!B1', 'S!A2', 'S!B2'], joined: ['S!A1:B2'] },
  { places: ['S!A1', 'S!C1', 'S!A2', 'S!C2'], joined: ['S!A1:A2', 'S!C1:C2'] },
  { places: ['S!A1', 'T!B1', 'S!A3'], joined: ['S!A1', 'S!A3', 'T!B1'] },
  { places: ["'My S'!Z9", "'My S'!AA9"], joined: ["'My S'!Z9:AA9"] },
  { places: ['sheet S', 'S!B2', 'S!1:1'], joined: ['S!B2', 'sheet S', 'S!1:1'] },
  { places: [], joined: [] },
])('$places are $joined', ({ places, joined }) => {
  expect(joinPlaces(places)).toEqual(joined)
})
