import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import {
  type ComparedFile,
  compareFiles,
  Exit,
  showChanges,
  unwrapOrExit,
  whileWaiting,
} from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answer, answerData, answerJson } from '../../output/output.ts'

interface Compared {
  readonly before: string
  readonly after: string
  readonly json?: boolean
}

/** Prints nothing for two files that say the same. */
export async function diff({ before, after, json }: Compared): Promise<void> {
  const difference = unwrapOrExit(
    await whileWaiting('Comparing', () => compareFiles(readFile(before), readFile(after))),
  )
  if (json) return answerJson(difference)
  if (difference.by === 'lines') {
    // another program may apply it
    const show = process.stdout.isTTY ? answer : answerData
    if (difference.unified !== '') show(difference.unified)
    return
  }
  if (difference.changes.length > 0) answer(showChanges(difference.changes, []))
  if (difference.isTruncated) answer('There are more changes than these.')
}

function readFile(path: string): ComparedFile {
  try {
    return { name: basename(path), bytes: readFileSync(path) }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new Exit(EXIT_CODES.missing, `Cannot read "${path}" (${code}). Name two files.`)
  }
}
