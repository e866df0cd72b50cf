/** Calls of the system that Node does not offer. Each throws what the system answers. */
export interface Native {
  /**
   * Swaps two files of one disk, so that neither name is ever missing. `spare` is a free name next to `from` for a
   * system that needs a third: if the process ends half-way, what was at `to` is there.
   */
  exchange(from: string, to: string, spare: string): void
  /** Gives `to` the access list and extended attributes of `from`; names those it could not give. */
  copyAttributes(from: string, to: string): readonly string[]
}

export type Koffi = typeof import('koffi').default
