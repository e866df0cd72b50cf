import { DefaultDeserializer, DefaultSerializer } from 'node:v8'

/**
 * A message between threads or processes: first the value, then the byte arrays it contained. Kept apart, bytes are
 * written from where they lie, received into their final place, and moved between threads without a copy.
 */
export type MessageParts = readonly [Uint8Array, ...Uint8Array[]]

export function toParts(value: unknown): MessageParts {
  const serializer = new PartsSerializer()
  serializer.writeHeader()
  serializer.writeValue(value)
  return [serializer.releaseBuffer(), ...serializer.bytes]
}

export function fromParts([head, ...bytes]: MessageParts): unknown {
  const deserializer = new PartsDeserializer(head, bytes)
  deserializer.readHeader()
  return deserializer.readValue()
}

/** To be moved to another thread: each part is the only view on its buffer. */
export function buffersOf(parts: readonly Uint8Array[]): ArrayBuffer[] {
  return parts.map(part => part.buffer as ArrayBuffer)
}

class PartsSerializer extends DefaultSerializer {
  readonly bytes: Uint8Array[] = []

  /** Called for every view; the underscore is node's. */
  _writeHostObject(view: unknown): void {
    if (!(view instanceof Uint8Array)) throw new Error('Only byte arrays can cross to the engine')
    this.writeUint32(this.bytes.push(view) - 1)
  }
}

class PartsDeserializer extends DefaultDeserializer {
  readonly #bytes: readonly Uint8Array[]

  constructor(head: Uint8Array, bytes: readonly Uint8Array[]) {
    super(head)
    this.#bytes = bytes
  }

  _readHostObject(): Uint8Array {
    return this.#bytes[this.readUint32()]!
  }
}
