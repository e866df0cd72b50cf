import { request as requestHttp } from 'node:http'

const MAX_CHARS = 8 * 1024 * 1024 // a gateway lists thousands of models

/** The JSON at an address; undefined for whatever else is there, or nothing. */
export function getJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  return askJson(url, { method: 'GET', headers }, signal)
}

/** The same for a question that has a body. */
export function postJson(url: URL, body: unknown, signal: AbortSignal): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return askJson(url, { method: 'POST', headers }, signal, JSON.stringify(body))
}

async function askJson(
  url: URL,
  options: { readonly method: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
  sent?: string,
): Promise<unknown> {
  try {
    const request = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp
    const body = await new Promise<string>((resolve, reject) => {
      const asking = request(url, { ...options, signal }, response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
          if (text.length > MAX_CHARS) asking.destroy(new Error('too long'))
        })
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject()))
        response.on('error', reject)
      })
      asking.on('error', reject)
      asking.end(sent)
    })
    return JSON.parse(body)
  } catch {
    return undefined // not there, not in time, or not JSON: the caller treats all of them alike
  }
}
