import { type Change, type ChangeSide, toChangeId } from '@filewright/protocol'
import type { DocumentName } from './format.ts'

export interface FileDiff {
  readonly changes: readonly Change[]
  /** There are more than the limit. */
  readonly isTruncated: boolean
}

const MAX_CHANGES = 10_000

/** The differences of two files as changes that a person reviews. */
export class DiffChanges {
  readonly #changes: Change[] = []
  readonly #name: DocumentName
  readonly #limit: number

  constructor({ docPath, path }: DocumentName, limit = MAX_CHANGES) {
    this.#name = { docPath, path }
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#changes.length > this.#limit
  }

  /** The changes up to the limit. */
  get result(): FileDiff {
    return { changes: this.#changes.slice(0, this.#limit), isTruncated: this.isFull }
  }

  add(kind: string, place: string, before: ChangeSide | null, after: ChangeSide | null): void {
    const index = this.#changes.length
    this.#changes.push({
      id: toChangeId('diff', index, place),
      ...this.#name,
      kind,
      place,
      before,
      after,
      operation: { toolCallId: 'diff', index, op: 'diff' },
      dependsOn: [],
    })
  }
}
