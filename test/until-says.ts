import type { ChildProcess } from 'node:child_process'

/** Of a server that was started. The model it names may have an address too, and can be heard first. */
export const PAGE_ADDRESS = /http:\/\/\S+[?]token=\S+/

/** The output of a process that matches the pattern, once its line is complete. */
export function untilSays(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
        const found = pattern.exec(text.slice(0, text.lastIndexOf('\n') + 1))
        if (found) resolve(found[0])
      })
    }
    child.on('exit', code =>
      reject(new Error(`ended with ${code} and said nothing like ${pattern}`)),
    )
  })
}
