/** The unreadable part of a list. Damage never prevents a start. */
export interface Damage {
  readonly lines: number
  /** Where the whole list is kept as it was found. */
  readonly keptAs: string
}
