import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** The page may load only from this server, and no site may frame it. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The frame in which the page draws documents: an origin of its own even when it is opened by itself. It runs our code,
 * takes the styles of a document, and reaches nothing.
 */
const FRAME_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Serves the built web app; an address that is not a file gets the page itself. */
export function serveStatic(root: string): (path: string) => Promise<Response> {
  return async path => {
    const wanted = normalize(decode(path)).replace(/^([/\\])+/, '')
    const isInside = !wanted.split(sep).includes('..') && !wanted.includes('\0')
    const name = isInside && extname(wanted) !== '' ? wanted : 'index.html'
    const bytes = await readFile(join(root, name)).catch(() => undefined)
    if (!bytes) return new Response('Not found', { status: 404 })
    const isAsset = name.startsWith('assets')
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
        'content-security-policy': name === 'frame.html' ? FRAME_POLICY : POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        // the frame has an opaque origin, and this is public code
        ...(isAsset && { 'access-control-allow-origin': '*' }),
      },
    })
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
