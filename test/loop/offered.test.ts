import type { Rule } from '@filewright/protocol'
import { describe, expect } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, runTo, says } from './running.ts'

const create = call('workspace_create_file', { path: 'b.txt', content: 'b\n' })

describe('a model calls only what it was offered', () => {
  verifies(
    'CONTRACT §4 toolset binds a run',
    'a draft-only run writes nothing straight to the disk, whatever rules and --approve say',
    async () => {
      const { model, requests } = recorder([says('', create), says('Done.')])
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      const rule: Partial<Rule> = { effect: 'write', tool: 'workspace_create_file' }
      expect((await product.ask('addRule', { body: rule })).status).toBe(200)
      const { end, rows } = await runTo(product, 'Make b.', { approve: 'all' })
      expect(end.closing).toBe('No file was changed')
      expect(() => product.read('b.txt')).toThrow()
      const [refused] = bodies(rows, 'tool_result')
      expect(refused).toMatchObject({ success: false, error_code: 'UNKNOWN_TOOL' })
      const offered = requests[0]!.tools.map(tool => tool.name)
      expect(refused!.content).toContain(`The tools are ${offered.join(', ')}.`)
      expect(bodies(rows, 'call-start')).toEqual([])
    },
  )

  verifies(
    'CONTRACT §4 toolset binds a run',
    'an alias of an offered tool runs, and a plan is bound to what reads',
    async () => {
      const write = call('write_text_file', { path: 'a.txt', content: 'b\n' })
      const { model } = recorder([
        says('', call('get_file_map', { path: 'a.txt' }), write),
        says('My plan.'),
      ])
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      const { rows } = await runTo(product, 'Plan it.', { plan: true, approve: 'all' })
      const codes = bodies(rows, 'tool_result').map(line => line.error_code ?? null)
      expect(codes.toSorted()).toEqual(['UNKNOWN_TOOL', null])
      expect(bodies(rows, 'call-start').map(({ name }) => name)).toEqual(['get_file_map'])
    },
  )

  verifies(
    'CONTRACT §4 own calls run any tool',
    'a call of a person runs any tool of the catalog, whatever the session was offered',
    async () => {
      const { model } = recorder([says('Hello.')])
      const product = await embedded({}, { model })
      await runTo(product, 'Hello.', { toolset: 'workshop' })
      expect(await product.call(create.name, create.arguments)).toMatchObject({ success: true })
      expect(product.read('b.txt')).toBe('b\n')
    },
  )
})
