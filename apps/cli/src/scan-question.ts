import { EXIT_CODES } from '@filewright/protocol'
import { canAsk, Exit, note } from './output.ts'
import { askYesNo } from './prompt.ts'
import { unwrapOrExit, type Work } from './session.ts'

/** A home folder, a disk's root or a very large tree: asked about before the work that scans it begins. */
export async function settleScan(
  work: Pick<Work, 'connection' | 'params'>,
  { allowLarge }: { readonly allowLarge?: boolean },
): Promise<void> {
  if (allowLarge) return
  const { connection, params } = work
  const listed = await connection.call('listFiles', { params, query: { limit: 1 } })
  if (!listed.ok && listed.failure.details?.question) await allowScan(work, listed.failure.message)
}

/** The yes is kept as a rule of the folder: it is not asked again, and is seen and taken back with `filewright rules`. */
export async function allowScan(
  { connection, params }: Pick<Work, 'connection' | 'params'>,
  question: string,
): Promise<void> {
  await confirmScan(question)
  unwrapOrExit(await connection.call('addRule', { params, body: { effect: 'scan' } }))
}

/** Returns only with a yes; the question itself says how one is given where nobody can be asked. */
export async function confirmScan(question: string): Promise<void> {
  if (!canAsk()) throw new Exit(EXIT_CODES.denied, question)
  note(question)
  if (await askYesNo('Scan all of it?')) return
  throw new Exit(EXIT_CODES.denied, 'nothing was scanned; name a smaller folder with -C')
}
