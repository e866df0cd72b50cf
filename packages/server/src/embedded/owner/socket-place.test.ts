import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reachSocket } from './socket-place.ts'

/** A state folder whose path is too long for a socket, and places to reach it from. */
function longState() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fw-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const state = join(root, 'x'.repeat(100), 'state')
  mkdirSync(state, { recursive: true })
  const place = (name: string, mode = 0o700) => {
    mkdirSync(join(root, name))
    chmodSync(join(root, name), mode)
    return join(root, name)
  }
  return { socket: join(state, 'owner.sock'), place }
}

const ours = `filewright-${process.getuid?.()}`

/** The place it is reached from; undefined where there is none. */
function reachedFrom(socket: string, places: readonly string[]): string | undefined {
  const reached = reachSocket(socket, places)
  if (!reached.ok) return undefined
  expect(Buffer.byteLength(reached.value)).toBeLessThanOrEqual(100)
  expect(realpathSync(dirname(reached.value))).toBe(dirname(socket))
  return dirname(dirname(dirname(reached.value)))
}

describe.skipIf(process.platform === 'win32')('reaching the socket of a state folder', () => {
  test('a short path is taken as it is', () => {
    expect(reachSocket('/state/owner.sock', [])).toMatchObject({ value: '/state/owner.sock' })
  })

  test('a long path is reached through a link that nobody else can change', () => {
    const { socket, place } = longState()
    const a = place('a')
    expect(reachedFrom(socket, [a])).toBe(a)
    expect(reachedFrom(socket, [a])).toBe(a)
    expect(lstatSync(join(a, ours)).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(a, ours))).toHaveLength(1)
  })

  test('a link that leads elsewhere is replaced', () => {
    const { socket, place } = longState()
    const a = place('a')
    reachedFrom(socket, [a])
    const link = join(a, ours, readdirSync(join(a, ours))[0]!)
    rmSync(link)
    symlinkSync('/elsewhere', link)
    expect(reachedFrom(socket, [a])).toBe(a)
  })

  test("a folder that others can write to, and somebody's link in its place, are passed over", () => {
    const { socket, place } = longState()
    const [open, linked, elsewhere, last] = [place('a'), place('b'), place('c'), place('d')]
    mkdirSync(join(open, ours))
    chmodSync(join(open, ours), 0o777)
    symlinkSync(elsewhere, join(linked, ours))
    expect(reachedFrom(socket, [open, linked, last])).toBe(last)
    expect(readdirSync(join(open, ours))).toEqual([])
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('where others can replace our folder, no link is made; where they can only add, one is', () => {
    const { socket, place } = longState()
    expect(reachedFrom(socket, [place('a', 0o777)])).toBeUndefined()
    const shared = place('b', 0o1777)
    expect(reachedFrom(socket, [shared])).toBe(shared)
  })

  test('without a place for the link the answer says what would work', () => {
    const { socket, place } = longState()
    const tooLong = join(place('a'), 'y'.repeat(90))
    const reached = reachSocket(socket, [tooLong, 'relative'])
    expect(reached).toMatchObject({ ok: false, failure: { kind: 'unavailable' } })
    expect(!reached.ok && reached.failure.message).toContain('Set FILEWRIGHT_STATE')
  })
})
