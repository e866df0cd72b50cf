import { Mapping } from '../../places/mapping.ts'

/** The times between moves of places: what was written in one is looked for through the moves since. */
export class Epochs {
  /** From the start of each epoch to now. */
  #since: readonly Mapping[] = [Mapping.identity]

  /** The number of the current one. */
  get now(): number {
    return this.#since.length - 1
  }

  /** Places move. Returns how to go back. */
  next(mapping: Mapping): () => void {
    const before = this.#since
    if (!mapping.isIdentity)
      this.#since = [...before.map(own => own.compose(mapping)), Mapping.identity]
    return () => {
      this.#since = before
    }
  }

  /** Where the places of an epoch are now; sheets by their ids. */
  since(epoch: number): Mapping {
    return this.#since[epoch]!
  }
}
