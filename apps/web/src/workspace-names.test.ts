import type { WorkspaceSummary } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { namesOf } from './workspace-names.ts'

test('a workspace is called by its name', () => {
  expect(names('/home/me/shop', '/home/me/taxes')).toEqual(['shop', 'taxes'])
})

test('two with one name show as much of their place as distinguishes them', () => {
  expect(names('/home/me/old/docs', '/home/me/new/docs', '/home/me/shop')).toEqual([
    'old/docs',
    'new/docs',
    'shop',
  ])
  expect(names('/a/x/docs', '/b/x/docs')).toEqual(['a/x/docs', 'b/x/docs'])
  expect(names('C:\\a\\docs', 'C:\\b\\docs')).toEqual(['a/docs', 'b/docs'])
  expect(names('a/docs on desk', 'a/docs on lap')).toEqual(['a/docs on desk', 'a/docs on lap'])
})

test('ids distinguish workspaces with equal places', () => {
  expect([...namesOf([workspace('1', 'docs'), workspace('2', 'docs')]).values()]).toEqual([
    'docs (1)',
    'docs (2)',
  ])
})

function names(...places: string[]): string[] {
  const listed = places.map((place, index) => {
    const name = place
      .replace(/ on \w+$/, '')
      .split(/[\\/]/)
      .at(-1)!
    return { ...workspace(String(index), name), place }
  })
  return [...namesOf(listed).values()]
}

function workspace(workspaceId: string, name: string): WorkspaceSummary {
  return { workspaceId, name, created: '2026-01-01T00:00:00.000Z', isAttached: true }
}
