import { once } from 'node:events'

/** One message, one line. */
export function send(message: object): void {
  write(message)
}

/** Waits for a reader that is slow: what it is still to read would pile up here. */
export async function sendWhenRead(message: object): Promise<void> {
  if (!write(message)) await once(process.stdout, 'drain')
}

function write(message: object): boolean {
  return process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
