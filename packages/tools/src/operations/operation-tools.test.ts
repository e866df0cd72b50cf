import { FORMATS, factsOf, isEditable, isTyped, loadFormat } from '@filewright/documents'
import { type DocPath, type RelativePath, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { findTool } from '../catalog.ts'
import { declareTool } from './declare-tool.ts'
import { toOperationTools } from './operation-tools.ts'

const editable = FORMATS.flatMap(facts => {
  const table = facts.editing?.operations
  return table ? [{ id: facts.id, facts, table, tool: findTool(facts.tool!)!.declaration }] : []
})

describe.each(editable)('$id_operations and its format', ({ facts, table, tool }) => {
  const names = Object.keys(table.operations)

  test('the tool offers the declared operations, and the guidance names all of them', () => {
    expect(tool.name).toBe(`${facts.id}_operations`)
    for (const op of names)
      expect(tool.input.safeParse({ path: 'a', operations: [{ op }] }).success, op).toBe(true)
    expect(tool.input.safeParse({ path: 'a', operations: [{ op: 'nothing' }] }).success).toBe(false)
    for (const name of names) expect(tool.guidance).toMatch(new RegExp(`\\b${name}\\b`))
  })

  test('the format has a handler for each, and takes each field that it declares', async () => {
    const format = await loadFormat(facts.id)
    if (!isEditable(format)) throw new Error(`${facts.id} is read-only`)
    const path = `a${facts.editing!.newEndings[0]}`
    const name = { docPath: path as DocPath, path: path as RelativePath }
    const document = unwrap(format.open(unwrap(format.create(name)), name))
    const circumstances = { time: '2026-01-01T00:00:00Z', author: 'a', seed: 1 }
    for (const op of [...names, 'nothing']) {
      const logged = { toolCallId: 'tc_1', index: 0, operation: { op }, circumstances }
      const done = document.apply([logged])
      const message = done.ok ? '' : done.failure.message
      expect(message.includes('there is no operation'), op).toBe(op === 'nothing')
    }
  })

  test('every field of an operation is one of the table', () => {
    for (const [op, own] of Object.entries(table.operations))
      for (const field of isTyped(own) ? Object.keys(own.takes) : own.takes)
        expect(Object.keys(table.fields), op).toContain(/^\w+/.exec(field)![0])
  })
})

test('a format without operations makes no tool', () => {
  expect(toOperationTools([factsOf('text')])).toEqual([])
})

test('without guidance the tool describes each operation, and has no permissions', () => {
  const fields = { word: z.string().optional().describe('What to say') }
  const operations = { say: { takes: ['word'], does: 'says a word' } }
  const { guidance, input } = declareTool(factsOf('xlsx'), { operations, fields, example: '{}' })
  expect(guidance).toBe('say {word} says a word.')
  expect(Object.keys(input.shape)).not.toContain('allow_protected')
})
