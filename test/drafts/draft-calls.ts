import type { Change, Review } from '@filewright/protocol'
import { expect } from 'vitest'
import type { Embedded } from '../embedded.ts'

export async function edit(product: Embedded, path: string, search: string, replace: string) {
  const edits = [{ search, replace }]
  expect(await product.call('edit_text_file', { path, edits })).toMatchObject({ success: true })
}

export async function review(product: Embedded): Promise<readonly Change[]> {
  return (await product.ask<Review>('review')).value.changes
}

export async function publish(product: Embedded, refused: readonly Change[] = []) {
  const body = { refused: refused.map(({ id }) => id) }
  const { status, value } = await product.ask('publish', { body })
  expect(status, JSON.stringify(value)).toBe(200)
  return value
}
