/** The unreadable part of a list that must not prevent a start. */
export interface Damage {
  readonly lines: number
  /** Where the whole list is kept as found. */
  readonly keptAs: string
}
