import { knownGaps } from '../known-gaps.ts'
import { requirements } from '../requirements.ts'
import { specSections } from '../spec-sections.ts'
import { findCitations } from './citations.ts'
import { findFaults } from './gate.ts'
import { toKnownGaps, toMarkdown } from './report.ts'

/** Everything the gate and its command need to know about the tree at `root`. */
export function readConformance(root: string) {
  const { citations, faults } = findCitations(root)
  const conformance = { requirements, sections: specSections, gaps: knownGaps, citations }
  return {
    faults: [...faults, ...findFaults(conformance)],
    markdown: toMarkdown(conformance),
    knownGaps: toKnownGaps(conformance),
  }
}
