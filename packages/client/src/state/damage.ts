/** What could not be read of a list that must not keep anybody from starting. */
export interface Damage {
  readonly lines: number
  /** Where all of it is kept as it was found. */
  readonly keptAs: string
}
