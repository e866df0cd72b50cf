import type { ReadableDocument } from '@filewright/documents'

const MAX_BYTES = 64 * 1024 * 1024 // of the files as they lie on disk; an open one takes a few times that
export const MAX_DOCUMENTS = 32 // a draft over more files than this rebuilds the ones not touched for longest

export interface HeldDocument {
  readonly state: string
  readonly document: ReadableDocument
  /** What it was opened with. */
  readonly bytes: Uint8Array
}

/** The open documents, least recently used first out. The one just put always stays. */
export interface DocumentShelf {
  holds(key: string, state: string): boolean
  take(key: string, state: string): HeldDocument | undefined
  put(key: string, held: HeldDocument): void
  /** The document now has another state. */
  advance(key: string, state: string): void
  remove(key: string): void
}

export function createShelf({
  maxBytes = MAX_BYTES,
  maxDocuments = MAX_DOCUMENTS,
} = {}): DocumentShelf {
  const shelf = new Map<string, HeldDocument>() // a Map keeps the order of insertion
  let heldBytes = 0

  function remove(key: string): void {
    const held = shelf.get(key)
    if (!held) return
    shelf.delete(key)
    heldBytes -= held.bytes.length
  }

  return {
    holds: (key, state) => shelf.get(key)?.state === state,
    take(key, state) {
      const held = shelf.get(key)
      if (!held) return undefined
      if (held.state !== state) {
        remove(key)
        return undefined
      }
      shelf.delete(key)
      shelf.set(key, held)
      return held
    },
    put(key, held) {
      remove(key)
      for (const oldest of shelf.keys()) {
        if (heldBytes + held.bytes.length <= maxBytes && shelf.size < maxDocuments) break
        remove(oldest)
      }
      shelf.set(key, held)
      heldBytes += held.bytes.length
    },
    advance(key, state) {
      const held = shelf.get(key)
      if (held) shelf.set(key, { ...held, state })
    },
    remove,
  }
}
