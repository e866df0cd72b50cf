import { LIMITS } from '@filewright/protocol'
import { isPlainXml } from './plain.ts'

/** What `XmlReader.next` found. */
export const XML_END = 0
export const XML_OPEN = 1
export const XML_CLOSE = 2
/** An element that opens and closes in one tag. */
export const XML_EMPTY = 3
export const XML_TEXT = 4
/** `problem` describes the error, and nothing more follows. */
export const XML_BAD = 5

/**
 * Walks the bytes of a part (UTF-8) and checks that it is well-formed. Uses offsets and copies nothing: each step fills
 * the same fields. Document types are refused, so there is no entity but the five.
 */
export class XmlReader {
  readonly bytes: Uint8Array
  start = 0
  end = 0
  nameStart = 0
  nameEnd = 0
  /** nameStart, nameEnd, valueStart, valueEnd of each attribute, up to `attributeEnd`. */
  attributes = new Int32Array(32)
  attributeEnd = 0
  depth = 0
  problem = ''
  /** Where a problem was found. */
  stoppedAt = 0
  #at: number
  readonly #limit: number
  /** Name offsets of the open elements, up to `openEnd`. */
  #open = new Int32Array(FIRST_DEPTH * 2)
  #openEnd = 0
  #hasRoot = false
  #pendingClose = false
  readonly #isFragment: boolean

  /** A fragment is the inside of an element: any number of roots, ended by a closing tag that is not its own. */
  constructor(
    bytes: Uint8Array,
    from = 0,
    to = bytes.length,
    shape: 'document' | 'fragment' = 'document',
  ) {
    this.bytes = bytes
    this.#isFragment = shape === 'fragment'
    this.#at = from === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : from
    this.#limit = to
  }

  next(): number {
    const { bytes } = this
    const limit = this.#limit
    if (this.#pendingClose) {
      this.#pendingClose = false
      this.depth--
    }
    for (;;) {
      let at = this.#at
      if (at >= limit) return this.#finish()
      if (bytes[at] !== 60) {
        this.start = at
        at = this.#text(at)
        if (at < 0) return XML_BAD
        this.end = this.#at = at
        if (this.depth > 0) return XML_TEXT
        continue
      }
      const byte = bytes[at + 1]
      if (byte === 47) return this.#closeTag(at)
      if (byte === 33) {
        const kind = this.#exclamation(at)
        if (kind !== XML_END) return kind
        continue
      }
      if (byte === 63) {
        const close = this.#find(at + 2, 63, 62)
        if (close < 0) return this.#bad('a processing instruction has no end', at)
        this.#at = close + 2
        continue
      }
      return this.#openTag(at)
    }
  }

  #finish(): number {
    if (this.#openEnd > 0) return this.#bad('it ends inside an element', this.#limit)
    if (!this.#hasRoot && !this.#isFragment) return this.#bad('it has no element', this.#limit)
    return XML_END
  }

  /** Advances to the next tag; a reference must be one of the five or a character number. */
  #text(from: number): number {
    const { bytes } = this
    const limit = this.#limit
    let at = from
    for (; at < limit; at++) {
      const byte = bytes[at]!
      if (byte > 62) continue
      if (byte === 60) break
      if (byte === 38) {
        const after = this.#reference(at)
        if (after < 0) return this.#wrong('an unknown entity is used', at)
        at = after - 1
      } else if (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9)
        return this.#wrong('it holds a control character', at)
      else if (byte === 62 && bytes[at - 1] === 93 && bytes[at - 2] === 93 && at - 2 >= from)
        return this.#wrong('text contains "]]>"', at)
      else if (this.depth === 0 && byte > 32 && !this.#isFragment)
        return this.#wrong('there is text outside the root', at)
    }
    if (this.depth === 0 && !this.#isFragment)
      for (let i = from; i < at; i++)
        if (bytes[i]! > 32) return this.#wrong('there is text outside the root', i)
    return at
  }

  #reference(at: number): number {
    const { bytes } = this
    let i = at + 1
    if (bytes[i] === 35) {
      const hex = bytes[i + 1] === 120
      let code = 0
      const first = (i += hex ? 2 : 1)
      for (; i < first + 8; i++) {
        const digit = digitOf(bytes[i]!, hex)
        if (digit < 0) break
        code = code * (hex ? 16 : 10) + digit
      }
      const isChar =
        code === 9 ||
        code === 10 ||
        code === 13 ||
        (code >= 32 && code < 0xd800) ||
        (code > 0xdfff && code <= 0x10ffff && code !== 0xfffe && code !== 0xffff)
      return i > first && bytes[i] === 59 && isChar ? i + 1 : -1
    }
    let name = ''
    for (; i < at + 7 && bytes[i] !== 59; i++) name += String.fromCharCode(bytes[i] ?? 0)
    const known =
      name === 'amp' || name === 'lt' || name === 'gt' || name === 'quot' || name === 'apos'
    return known ? i + 1 : -1
  }

  #exclamation(at: number): number {
    const { bytes } = this
    if (bytes[at + 2] === 45 && bytes[at + 3] === 45) {
      let close = at + 4
      for (;;) {
        close = this.#find(close, 45, 45)
        if (close < 0) return this.#bad('a comment has no end', at)
        if (bytes[close + 2] === 62) break
        return this.#bad('a comment contains "--"', close)
      }
      this.#at = close + 3
      return XML_END
    }
    if (this.depth > 0 && CDATA.every((byte, i) => bytes[at + 2 + i] === byte)) {
      let close = at + 9
      for (;;) {
        close = this.#find(close, 93, 93)
        if (close < 0) return this.#bad('a CDATA section has no end', at)
        if (bytes[close + 2] === 62) break
        close++
      }
      this.start = at
      this.end = this.#at = close + 3
      return XML_TEXT
    }
    return this.#bad(
      'it declares a document type, which is refused (entities are never expanded)',
      at,
    )
  }

  #closeTag(at: number): number {
    const { bytes } = this
    const open = this.#open
    const nameEnd = this.#name(at + 2)
    let close = nameEnd
    while (isSpace(bytes[close]!)) close++
    if (nameEnd === at + 2 || bytes[close] !== 62) return this.#bad('a closing tag is broken', at)
    if (this.#openEnd === 0) return this.#bad('a closing tag has no opening one', at)
    const openEnd = open[--this.#openEnd]!
    const openStart = open[--this.#openEnd]!
    if (openEnd - openStart !== nameEnd - at - 2)
      return this.#bad('a closing tag does not match', at)
    for (let i = 0; i < openEnd - openStart; i++)
      if (bytes[openStart + i] !== bytes[at + 2 + i])
        return this.#bad('a closing tag does not match', at)
    this.start = at
    this.nameStart = at + 2
    this.nameEnd = nameEnd
    this.end = this.#at = close + 1
    this.#pendingClose = true
    return XML_CLOSE
  }

  #openTag(at: number): number {
    const { bytes } = this
    const nameEnd = this.#name(at + 1)
    if (nameEnd === at + 1) return this.#bad('"<" does not start a tag', at)
    if (this.depth === 0 && this.#hasRoot && !this.#isFragment)
      return this.#bad('it has a second root', at)
    this.#hasRoot = true
    this.attributeEnd = 0
    let i = nameEnd
    for (;;) {
      const before = i
      while (isSpace(bytes[i]!)) i++
      const byte = bytes[i]
      if (byte === 62 || byte === 47) break
      if (i === before) return this.#bad('a tag is broken', at)
      const attributeEnd = this.#name(i)
      let equals = attributeEnd
      while (isSpace(bytes[equals]!)) equals++
      let quote = equals + 1
      while (isSpace(bytes[quote]!)) quote++
      const mark = bytes[quote]
      if (attributeEnd === i || bytes[equals] !== 61 || (mark !== 34 && mark !== 39))
        return this.#bad('an attribute is broken', i)
      const valueEnd = this.#value(quote + 1, mark)
      if (valueEnd < 0) return XML_BAD
      if (this.attributeEnd >= 4 * LIMITS.xmlAttributes)
        return this.#bad(`an element has more than ${LIMITS.xmlAttributes} attributes`, i)
      if (this.#isRepeated(i, attributeEnd)) return this.#bad('an attribute occurs twice', i)
      this.#addAttribute(i, attributeEnd, quote + 1, valueEnd)
      i = valueEnd + 1
    }
    const empty = bytes[i] === 47
    if (empty && bytes[++i] !== 62) return this.#bad('a tag is broken', at)
    if (i >= this.#limit) return this.#bad('a tag has no end', at)
    if (++this.depth > LIMITS.xmlDepth)
      return this.#bad(`elements are nested deeper than ${LIMITS.xmlDepth}`, at)
    this.start = at
    this.nameStart = at + 1
    this.nameEnd = nameEnd
    this.end = this.#at = i + 1
    if (empty) {
      this.#pendingClose = true
      return XML_EMPTY
    }
    if (this.#openEnd === this.#open.length) this.#open = grown(this.#open)
    this.#open[this.#openEnd++] = at + 1
    this.#open[this.#openEnd++] = nameEnd
    return XML_OPEN
  }

  #addAttribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    if (this.attributeEnd === this.attributes.length) this.attributes = grown(this.attributes)
    const { attributes } = this
    attributes[this.attributeEnd++] = nameStart
    attributes[this.attributeEnd++] = nameEnd
    attributes[this.attributeEnd++] = valueStart
    attributes[this.attributeEnd++] = valueEnd
  }

  #value(from: number, mark: number): number {
    const { bytes } = this
    for (let at = from; at < this.#limit; at++) {
      const byte = bytes[at]!
      if (byte > 60) continue
      if (byte === mark) return at
      if (byte === 60) return this.#wrong('an attribute contains "<"', at)
      if (byte === 38) {
        const after = this.#reference(at)
        if (after < 0) return this.#wrong('an unknown entity is used', at)
        at = after - 1
      } else if (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9)
        return this.#wrong('it holds a control character', at)
    }
    return this.#wrong('an attribute has no end', from)
  }

  #isRepeated(start: number, end: number): boolean {
    const { bytes, attributes } = this
    for (let i = 0; i < this.attributeEnd; i += 4) {
      const other = attributes[i]!
      if (attributes[i + 1]! - other !== end - start) continue
      let same = true
      for (let k = 0; k < end - start && same; k++) same = bytes[other + k] === bytes[start + k]
      if (same) return true
    }
    return false
  }

  #name(from: number): number {
    const { bytes } = this
    let at = from
    if (NAME[bytes[at]!] !== 2) return at
    while (at < this.#limit && NAME[bytes[at]!]! > 0) at++
    return at
  }

  /** Where the two bytes are adjacent; -1 if nowhere. */
  #find(from: number, first: number, second: number): number {
    const { bytes } = this
    for (
      let at = bytes.indexOf(first, from);
      at >= 0 && at < this.#limit;
      at = bytes.indexOf(first, at + 1)
    )
      if (bytes[at + 1] === second) return at
    return -1
  }

  #bad(problem: string, at: number): number {
    this.#wrong(problem, at)
    return XML_BAD
  }

  /** For steps that return an offset. */
  #wrong(problem: string, at: number): -1 {
    this.problem = `${problem} (byte ${at})`
    this.stoppedAt = at
    this.#at = this.#limit
    this.#openEnd = 0
    return -1
  }
}

const FIRST_DEPTH = 24 // elements in each other, without a longer list of them

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(list.length * 2)
  longer.set(list)
  return longer
}

const CDATA = [91, 67, 68, 65, 84, 65, 91] // [CDATA[

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 9 || byte === 13
}

/** 2: starts a name; 1: continues one. */
const NAME = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isLetter = (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90)
  if (isLetter || byte === 95 || byte === 58 || byte > 127) NAME[byte] = 2
  else if ((byte >= 48 && byte <= 57) || byte === 45 || byte === 46) NAME[byte] = 1
}

function digitOf(byte: number, hex: boolean): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  if (!hex) return -1
  if (byte >= 97 && byte <= 102) return byte - 87
  return byte >= 65 && byte <= 70 ? byte - 55 : -1
}

/** Why the part is not well-formed; undefined if it is. */
export function findXmlProblem(bytes: Uint8Array): string | undefined {
  if (isPlainXml(bytes)) return undefined
  const reader = new XmlReader(bytes)
  for (;;) {
    const kind = reader.next()
    if (kind === XML_END) return undefined
    if (kind === XML_BAD) return reader.problem
  }
}
