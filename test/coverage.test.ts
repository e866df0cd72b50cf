import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { citationsIn, findIdleContracts } from './conformance/citations.ts'
import { readConformance } from './conformance/conformance.ts'
import { type Conformance, findFaults, statesOf } from './conformance/gate.ts'
import { toKnownGaps, toMarkdown } from './conformance/report.ts'
import { requirementsOf } from './requirements/requirement.ts'
import { verifies } from './verifies.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('this tree', () => {
  const { faults, markdown, knownGaps } = readConformance(root)

  test('every requirement is cited by a test, a known gap or not applicable', () => {
    expect(faults).toEqual([])
  })

  test('docs/conformance.md is what node scripts/conformance.mjs writes', () => {
    expect(readFileSync(`${root}docs/conformance.md`, 'utf8')).toBe(markdown)
  })

  test('test/known-gaps.ts is what --update-gaps writes', () => {
    expect(readFileSync(`${root}test/known-gaps.ts`, 'utf8')).toBe(knownGaps)
  })
})

describe('the gate', () => {
  test('passes when each requirement is cited, a gap or not applicable', () => {
    expect(findFaults(specs({}))).toEqual([])
  })

  test('names a requirement that no test cites', () => {
    expect(findFaults(specs({ gaps: {} }))).toEqual([
      '"TUL-001 §2 rows" is proven by no test: cite it or add it to test/known-gaps.ts.',
    ])
  })

  test('names a known gap that works', () => {
    const faults = findFaults(specs({ gaps: { later: ['TUL-001 §1 reads', 'TUL-001 §2 rows'] } }))
    expect(faults).toEqual([
      '"TUL-001 §1 reads" is verified: take it off test/known-gaps.ts (--update-gaps does).',
    ])
  })

  test('names a known gap that is not a requirement', () => {
    const faults = findFaults(specs({ gaps: { later: ['TUL-001 §2 rows', 'TUL-001 §2 rose'] } }))
    expect(faults).toEqual([
      '"TUL-001 §2 rose" is no requirement: take it off test/known-gaps.ts (--update-gaps does).',
    ])
  })

  test('names a citation of an id that does not exist', () => {
    const citations = [...cited('TUL-001 §1 reads'), ...cited('TUL-001 §1 raeds')]
    expect(findFaults(specs({ citations }))).toEqual([
      'a.test.ts cites "TUL-001 §1 raeds", which does not exist: docs/conformance.md lists the ids.',
    ])
  })

  test('names a citation of a requirement that is not applicable', () => {
    const citations = [...cited('TUL-001 §1 reads'), ...cited('TUL-001 §2 approval')]
    expect(findFaults(specs({ citations }))).toEqual([
      'a.test.ts cites "TUL-001 §2 approval", which is not applicable: editorial.',
    ])
  })

  test('names a section without a requirement, and one that is not listed', () => {
    expect(findFaults(specs({ sections: { 'TUL-001': ['1', '3'] } }))).toEqual([
      'TUL-001 §3 has no requirement: add one to test/requirements.',
      'TUL-001 §2 has requirements and is not in test/spec-sections.ts.',
    ])
  })

  test('keeps a requirement a gap while a test of it is expected to fail', () => {
    const citations = [...cited('TUL-001 §1 reads'), ...cited('TUL-001 §1 reads', { gap: true })]
    expect(statesOf(specs({ citations })).get('TUL-001 §1 reads')).toBe('gap')
  })
})

describe('citations', () => {
  test('are the literal ids of verifies(), one or several', () => {
    const source = `for (const n of [1, 2]) verifies('A §1 b', \`\${n}\`, () => {})
      verifies(['A §1 c', "A §2 d's"], 'title', async () => {}, { gap: true })`
    expect(citationsIn('x.test.ts', () => source)).toEqual({
      citations: [
        { id: 'A §1 b', file: 'x.test.ts', gap: false },
        { id: 'A §1 c', file: 'x.test.ts', gap: true },
        { id: "A §2 d's", file: 'x.test.ts', gap: true },
      ],
      faults: [],
    })
  })

  test('in comments and strings do not count', () => {
    const source = `// verifies('A §1 b', …)\nconst s = "verifies('A §1 b')"`
    expect(citationsIn('x.contract.ts', () => source)).toEqual({ citations: [], faults: [] })
  })

  test('that are computed are refused', () => {
    const source = `\nverifies(id, 'title', () => {})`
    expect(citationsIn('x.test.ts', () => source).faults).toEqual([
      'x.test.ts:2 cites ids that are not literals: write the id itself as the first argument of verifies().',
    ])
  })

  test('of a test that never runs are refused', () => {
    const source = `verifies('A §1 b', 'title', () => {}, { skip: true })`
    expect(citationsIn('x.test.ts', () => source).faults).toEqual([
      'x.test.ts:1 is always skipped and proves nothing: use { gap: true }.',
    ])
  })

  test('of a contract suite that no test calls are refused', () => {
    const sources: Record<string, string> = {
      'a/x.test.ts': "import { x } from './x.contract.ts'\nimport { y } from '../b/y.contract.ts'",
      'a/x.contract.ts': "import { z } from './z.contract.ts'",
      'a/z.contract.ts': '',
      'b/y.contract.ts': '',
      'b/x.contract.ts': "import { w } from './w.contract.ts'",
      'b/w.contract.ts': '',
    }
    expect(findIdleContracts(Object.keys(sources), file => sources[file] ?? '')).toEqual([
      'b/x.contract.ts is called by no test: what it cites is not proven.',
      'b/w.contract.ts is called by no test: what it cites is not proven.',
    ])
  })

  test('of a scenario are in its call.json', () => {
    expect(citationsIn('s/001_a/call.json', () => '{"verifies": ["A §1 b"]}').citations).toEqual([
      { id: 'A §1 b', file: 's/001_a/call.json', gap: false },
    ])
    expect(citationsIn('s/001_a/call.json', () => '{"verifies": "A §1 b"}').faults).toEqual([
      's/001_a/call.json has a "verifies" that is not a list of ids.',
    ])
  })
})

describe('the report', () => {
  test('counts the states of each document and says why a gap is one', () => {
    const markdown = toMarkdown(specs({}))
    expect(markdown).toContain('| TUL-001 | 1 | 1 | 1 | 3 |')
    expect(markdown).toContain('| TUL-001 §1 reads | Reads. | verified |')
    expect(markdown).toContain('| TUL-001 §2 rows | A \\| B. | gap: later |')
    expect(markdown).toContain('| TUL-001 §2 approval | Who. | not applicable: editorial |')
  })

  test('of known gaps keeps reasons, drops what is proven and adds what is not', () => {
    const gaps = { later: ['TUL-001 §1 reads'], 'much later': ['TUL-001 §2 rows'] }
    expect(toKnownGaps(specs({ gaps }))).toContain("= {\n  'much later': ['TUL-001 §2 rows'],\n}\n")
    expect(toKnownGaps(specs({ gaps, citations: [] }))).toContain("  later: ['TUL-001 §1 reads'],")
    expect(toKnownGaps(specs({ gaps: {} }))).toContain("'not built yet': ['TUL-001 §2 rows'],")
  })
})

describe('verifies', () => {
  test('refuses a test that cites nothing', () => {
    expect(() => verifies([], 'a title', () => {})).toThrow('"a title" cites no requirement')
  })
})

/** Three requirements: one cited, one a gap, one not applicable. */
function specs(change: Partial<Conformance>): Conformance {
  return {
    requirements: requirementsOf('TUL-001', {
      '1': { reads: 'Reads.' },
      '2': { rows: 'A | B.', approval: { behaviour: 'Who.', notApplicable: 'editorial' } },
    }),
    sections: { 'TUL-001': ['1', '2'] },
    gaps: { later: ['TUL-001 §2 rows'] },
    citations: cited('TUL-001 §1 reads'),
    ...change,
  }
}

function cited(id: string, { gap = false } = {}) {
  return [{ id, file: 'a.test.ts', gap }]
}
