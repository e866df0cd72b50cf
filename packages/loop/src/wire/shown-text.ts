const SHOWN = 300
const SHORTEST_KEY = 8 // anything shorter is a placeholder for servers without keys: `none`, `local`

/** What a provider said, as a person may see it: in an error inside a stream, or in a whole body. */
export function messageIn(body: string): string {
  const parsed = tryParse(body)
  const error = (parsed as { error?: unknown } | undefined)?.error ?? parsed
  const message =
    typeof error === 'string'
      ? error
      : ((error as { message?: unknown } | undefined)?.message ??
        (error as { detail?: unknown } | undefined)?.detail)
  if (typeof message === 'string' && message !== '') return hideKeys(clip(message))
  if (/^\s*</.test(body)) return 'a web page'
  return body.trim() === '' ? 'no reason given' : hideKeys(clip(body))
}

/** Keys never enter the log (CONTRACT §8), and some providers quote what they were sent, in one spelling or another. */
export function keyHider(apiKey: string | undefined): (text: string) => string {
  const key = apiKey?.trim() ?? ''
  if (key.length < SHORTEST_KEY) return text => text
  const spellings = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]
  return text => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '[key]'), text)
}

/** Some quote a key that is not ours. */
export function hideKeys(text: string): string {
  return text.replace(/\b(sk|pk|key|AIza)[-_]?[\w*.-]{8,}/g, '[key]')
}

export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
