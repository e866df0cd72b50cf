import { type Fields, isFields, LIMITS, visible } from '@filewright/protocol'

/** The text of a tool's result, whatever its server sent: bounded, and without characters that hide others. */
export function answerText(result: unknown): { readonly text: string; readonly isError: boolean } {
  const { content, structuredContent, isError } = Object(result) as Fields
  const parts = Array.isArray(content) ? content.map(partText) : []
  const written = parts.filter(part => part !== '').join('\n\n')
  const text =
    written !== '' || structuredContent === undefined ? written : JSON.stringify(structuredContent)
  return { text: cut(visible(text)) || 'It answered with nothing.', isError: isError === true }
}

function partText(part: unknown): string {
  if (!isFields(part)) return ''
  const { type, text, data, mimeType, uri, name, resource } = part
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : ''
    case 'image':
    case 'audio':
      return `[${type}, ${word(mimeType)}, ${sizeOf(data)}; it is not shown]`
    case 'resource_link':
      return `[a link to ${word(uri)} ${word(name)}; it was not opened]`
    case 'resource': {
      const { text: own, blob, uri: place } = Object(resource) as Fields
      if (typeof own === 'string') return `[${word(place)}]\n${own}`
      return `[${word(place)}, ${sizeOf(blob)}; it is not shown]`
    }
    default:
      return ''
  }
}

function word(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, WORD) : ''
}

const WORD = 300 // characters

/** Of base64. */
function sizeOf(data: unknown): string {
  return sizeText(typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0)
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KB`
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= LIMITS.outsideAnswerBytes) return text
  const kept = Buffer.from(text)
    .subarray(0, LIMITS.outsideAnswerBytes)
    .toString()
    .replace(/\uFFFD+$/, '')
  return `${kept}\n… cut: it was ${sizeText(Buffer.byteLength(text))} long`
}
