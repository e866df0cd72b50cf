import { get as getHttp } from 'node:http'

const MAX_CHARS = 8 * 1024 * 1024 // a gateway lists thousands of models

/** The JSON at an address; undefined for whatever else is there, or nothing. */
export async function getJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const get = url.protocol === 'https:' ? (await import('node:https')).get : getHttp
    const body = await new Promise<string>((resolve, reject) => {
      const request = get(url, { headers, signal }, response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
          if (text.length > MAX_CHARS) request.destroy(new Error('too long'))
        })
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject()))
        response.on('error', reject)
      })
      request.on('error', reject)
    })
    return JSON.parse(body)
  } catch {
    return undefined // not there, not in time, or not JSON: all the same to whoever asks
  }
}
