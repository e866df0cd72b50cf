import { expect, test } from 'vitest'
import { createShelf, type HeldDocument } from './shelf.ts'

function held(size: number, state = 's'): HeldDocument {
  return { state, document: {} as never, bytes: new Uint8Array(size) }
}

test('the document not used for longest goes when bytes run short', () => {
  const shelf = createShelf({ maxBytes: 100 })
  shelf.put('a', held(40))
  shelf.put('b', held(40))
  shelf.take('a', 's')
  shelf.put('c', held(40))
  expect(['a', 'b', 'c'].map(key => shelf.take(key, 's') !== undefined)).toEqual([
    true,
    false,
    true,
  ])
})

test('no more documents are kept than allowed', () => {
  const shelf = createShelf({ maxDocuments: 2 })
  for (const key of ['a', 'b', 'c']) shelf.put(key, held(1))
  expect(['a', 'b', 'c'].map(key => shelf.take(key, 's') !== undefined)).toEqual([
    false,
    true,
    true,
  ])
})

test('a document larger than the shelf is kept alone', () => {
  const shelf = createShelf({ maxBytes: 100 })
  shelf.put('small', held(10))
  shelf.put('large', held(1000))
  expect(shelf.take('small', 's')).toBeUndefined()
  expect(shelf.take('large', 's')).toBeDefined()
  shelf.remove('large')
  shelf.put('a', held(60))
  shelf.put('b', held(40))
  expect(shelf.take('a', 's')).toBeDefined()
})

test('a document of another state is let go', () => {
  const shelf = createShelf()
  shelf.put('a', held(1, 'old'))
  shelf.advance('a', 'new')
  expect(shelf.take('a', 'new')).toBeDefined()
  expect(shelf.take('a', 'old')).toBeUndefined()
  expect(shelf.take('a', 'new')).toBeUndefined()
})
