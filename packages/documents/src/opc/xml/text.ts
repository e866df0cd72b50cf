import { lookUp } from '@filewright/protocol'
import { bufferOf } from './encoding.ts'

/** The text between two offsets of a well-formed part: references replaced, CDATA unwrapped, CRLF as LF. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  const buffer = bufferOf(bytes)
  let plain = true
  for (let at = start; at < end; at++) {
    const byte = buffer[at]!
    if (byte === 38 || byte === 60 || byte === 13 || byte > 127) {
      plain = false
      break
    }
  }
  if (plain) return buffer.toString('latin1', start, end)
  return unescapeText(buffer.toString('utf8', start, end))
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeText(raw: string): string {
  if (raw.includes('<')) raw = withoutMarkup(raw)
  if (raw.includes('\r')) raw = raw.replace(/\r\n?/g, '\n')
  if (!raw.includes('&')) return raw.includes(CDATA_AMP) ? raw.replaceAll(CDATA_AMP, '&') : raw
  const text = raw.replace(
    /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(\w+));/g,
    (whole, hex, decimal, name) => {
      if (name) return lookUp(NAMED, name) ?? whole
      const code = hex ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
  return text.includes(CDATA_AMP) ? text.replaceAll(CDATA_AMP, '&') : text
}

/** Replaces an `&` from CDATA, which starts no reference; a character that no XML can contain. */
const CDATA_AMP = '\u0001'

/** Tags, comments and instructions are dropped; the content of CDATA stays as text. */
function withoutMarkup(raw: string): string {
  return raw.replace(
    /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<[^>]*>/g,
    (_, data: string | undefined) => data?.replaceAll('&', CDATA_AMP) ?? '',
  )
}

export function encodeText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, char => ESCAPES[char]!) : text
}

export function encodeAttribute(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, char => ESCAPES[char]!)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
