import { expect, test } from 'vitest'
import { afterScroll, type LogEnd } from './log-end.ts'

const FOLLOWED: LogEnd = { isFollowed: true, top: 300 }
const at = (scrollTop: number, scrollHeight: number) => ({
  scrollTop,
  scrollHeight,
  clientHeight: 400,
})

test('a log that grew before our own scroll was heard is still followed', () => {
  expect(afterScroll(FOLLOWED, at(600, 2000))).toEqual({ isFollowed: true, top: 600 })
})

test('a person who scrolls up stays where they are, and is followed again at the end', () => {
  const up = afterScroll(FOLLOWED, at(100, 1000))
  expect(up).toEqual({ isFollowed: false, top: 100 })
  const down = afterScroll(up, at(400, 2000))
  expect(down).toEqual({ isFollowed: false, top: 400 })
  expect(afterScroll(down, at(1600, 2000))).toEqual({ isFollowed: true, top: 1600 })
})

test('a log that becomes shorter is followed', () => {
  expect(afterScroll({ isFollowed: true, top: 600 }, at(500, 900))).toMatchObject({
    isFollowed: true,
  })
})
