import type { Requirement } from '../requirements/requirement.ts'
import type { Citation } from './citations.ts'

export type Conformance = {
  requirements: readonly Requirement[]
  /** Document → its sections. */
  sections: Record<string, readonly string[]>
  /** Reason → the ids that no test proves yet. */
  gaps: Record<string, readonly string[]>
  citations: readonly Citation[]
}

export type State = 'verified' | 'gap' | 'not applicable'

/** One sentence for each way in which specs, tests and known gaps disagree. */
export function findFaults(conformance: Conformance): string[] {
  return [
    ...faultsOfSections(conformance),
    ...faultsOfIds(conformance),
    ...faultsOfCitations(conformance),
    ...faultsOfGaps(conformance),
  ]
}

/** A requirement that a test expects to fail is a gap, even if other tests prove parts of it. */
export function statesOf({ requirements, citations }: Conformance): Map<string, State> {
  const cited = new Set(citations.map(({ id }) => id))
  const failing = new Set(citations.filter(({ gap }) => gap).map(({ id }) => id))
  return new Map(
    requirements.map(({ id, notApplicable }) => {
      if (notApplicable !== undefined) return [id, 'not applicable']
      return [id, cited.has(id) && !failing.has(id) ? 'verified' : 'gap']
    }),
  )
}

function faultsOfSections({ requirements, sections }: Conformance): string[] {
  const named = new Set(requirements.map(({ document, section }) => `${document} §${section}`))
  const listed = new Set(
    Object.entries(sections).flatMap(([document, all]) => all.map(s => `${document} §${s}`)),
  )
  return [
    ...[...listed]
      .filter(section => !named.has(section))
      .map(section => `${section} has no requirement: add one to test/requirements.`),
    ...[...named]
      .filter(section => !listed.has(section))
      .map(section => `${section} has requirements and is not in test/spec-sections.ts.`),
  ]
}

function faultsOfIds({ requirements }: Conformance): string[] {
  return repeated(requirements.map(({ id }) => id)).map(id => `"${id}" names two requirements.`)
}

function faultsOfCitations({ requirements, citations }: Conformance): string[] {
  const byId = new Map(requirements.map(requirement => [requirement.id, requirement]))
  return citations.flatMap(({ id, file }) => {
    const requirement = byId.get(id)
    if (!requirement) {
      return [`${file} cites "${id}", which does not exist: docs/conformance.md lists the ids.`]
    }
    if (requirement.notApplicable === undefined) return []
    return [`${file} cites "${id}", which is not applicable: ${requirement.notApplicable}.`]
  })
}

function faultsOfGaps(conformance: Conformance): string[] {
  const states = statesOf(conformance)
  const gaps = Object.values(conformance.gaps).flat()
  const listed = new Set(gaps)
  return [
    ...repeated(gaps).map(id => `"${id}" occurs twice in test/known-gaps.ts.`),
    ...[...listed].flatMap(id => {
      const state = states.get(id)
      if (state === 'gap') return []
      return [
        `"${id}" is ${state ?? 'no requirement'}: take it off test/known-gaps.ts (--update-gaps does).`,
      ]
    }),
    ...[...states]
      .filter(([id, state]) => state === 'gap' && !listed.has(id))
      .map(([id]) => `"${id}" is proven by no test: cite it or add it to test/known-gaps.ts.`),
  ]
}

function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
}
