import { isUtf8 } from 'node:buffer'
import { Exit } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'

/** All of stdin as text; `what` begins the message when it is no text. */
export async function readStdin(what: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes))
    throw new Exit(
      EXIT_CODES.invalid,
      `${what} not UTF-8, so characters would be lost: nothing was done`,
    )
  return withoutBom(bytes.toString('utf8'))
}

/** Some shells put one at the start of what they pipe. */
export function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
