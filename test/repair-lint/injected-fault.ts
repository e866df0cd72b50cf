/** How a sound file is damaged, and the rule that must say so. */
export interface InjectedFault {
  readonly rule: string
  /** A part; one that is not there is added. */
  readonly part: string
  /** Absent: the part is removed. */
  readonly damage?: (xml: string) => string
  /** Rules that find the same fault too. */
  readonly also?: readonly string[]
}
