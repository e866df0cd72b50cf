/** An attribute with the spelling it has in the file; `raw` is absent once it was set. */
export interface LiveAttribute {
  /** With our prefix: `w:val`. */
  readonly name: string
  readonly value: string
  /** As written, with the white space in front of it. */
  readonly raw?: string
}

/** Where an element is in the bytes of its part. */
export interface LiveSource {
  readonly start: number
  /** After the opening tag. */
  readonly openEnd: number
  /** Where the closing tag starts; equal to `openEnd` in an empty tag. */
  readonly closeStart: number
  readonly end: number
}

/**
 * An element that can be changed, or the bytes between two elements (`name` is ''). What was not changed is written from
 * the bytes of the file. Only `LiveTree` changes a node.
 */
export class LiveNode {
  /** With our prefix: `w:p`. Empty for text and anything else between elements. */
  readonly name: string
  parent: LiveNode | null = null
  children: LiveNode[] = NO_CHILDREN
  /** Absent for a node that is not in the file. */
  readonly source: LiveSource | undefined
  /** For text that is not in the file: as it is written. */
  raw: string | undefined
  /** Something in it or below it is not as in the file. */
  isChanged: boolean
  /** Its own tag is not as in the file. */
  isTagChanged: boolean
  /** Parsed on request. */
  attributes: readonly LiveAttribute[] | undefined

  constructor(name: string, source: LiveSource | undefined) {
    this.name = name
    this.source = source
    this.isChanged = source === undefined
    this.isTagChanged = source === undefined
  }

  get isText(): boolean {
    return this.name === ''
  }

  child(name: string): LiveNode | undefined {
    for (const child of this.children) if (child.name === name) return child
    return undefined
  }

  *all(name: string): Generator<LiveNode> {
    for (const child of this.children) {
      if (child.name === name) yield child
      yield* child.all(name)
    }
  }

  /** Elements and texts at any depth, in the order of the file. */
  *inOrder(): Generator<LiveNode> {
    for (const child of this.children) {
      yield child
      yield* child.inOrder()
    }
  }

  /** The nearest element around it of that name. */
  closest(name: string): LiveNode | undefined {
    let at = this.parent
    while (at && at.name !== name) at = at.parent
    return at ?? undefined
  }

  get index(): number {
    return this.parent?.children.indexOf(this) ?? -1
  }
}

/** Shared by all nodes without children; the tree replaces it before it adds one. */
export const NO_CHILDREN: LiveNode[] = []
