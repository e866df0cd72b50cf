import { type SpecDocument, specSections } from '../spec-sections.ts'

export type Requirement = {
  /** What tests cite: document, section and a short name, e.g. `TUL-002 §6 sorted`. */
  id: string
  document: SpecDocument
  section: string
  behaviour: string
  /** Why nothing can be observed, or why the clause does not apply here. */
  notApplicable?: string
}

/** A behaviour, or the reason why the clause requires nothing of this product. */
type Entry = string | { behaviour: string; notApplicable: string }

/** Section → name → behaviour. The id is built from all three, so it is never typed twice. */
export type SectionEntries = Record<string, Record<string, Entry>>

export function requirementsOf(document: SpecDocument, entries: SectionEntries): Requirement[] {
  const order: string[] = specSections[document]
  return Object.entries(entries)
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)) // an object puts '10' before '2.1'
    .flatMap(([section, behaviours]) =>
      Object.entries(behaviours).map(([name, entry]) => ({
        id: `${document} §${section} ${name}`,
        document,
        section,
        ...(typeof entry === 'string' ? { behaviour: entry } : entry),
      })),
    )
}
