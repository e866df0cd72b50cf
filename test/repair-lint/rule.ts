import type { OfficeFile } from './office-file.ts'

/** One thing that Office repairs, drops or refuses when it opens a file, and that the schemas do not forbid. */
export interface RepairRule {
  /** `opc/link-to-missing-part`: whose rule it is, and what is wrong. */
  readonly id: string
  /** What is wrong, in words that are the same wherever it stands in the file: a file is compared with itself after an edit. */
  check(file: OfficeFile): Iterable<string>
}

/** The rules of one kind of file. */
export interface RuleSet {
  /** The root of the main part, with our prefix: `w:document`. Absent for the rules of every package. */
  readonly mainRoot?: string
  readonly rules: readonly RepairRule[]
}
