import { allowScan, Exit, findScanQuestion, note, type WorkspaceCaller } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { canAsk, ON_STDERR, type Person } from './prompt.ts'

/** Asks before the work starts to scan a home folder, a disk's root or a very large tree. */
export async function settleScan(
  work: WorkspaceCaller,
  { allowLarge }: { readonly allowLarge?: boolean },
  person: Person = ON_STDERR,
): Promise<void> {
  if (allowLarge) return
  const question = await findScanQuestion(work)
  if (question !== undefined) await askScan(work, question, person)
}

export async function askScan(
  work: WorkspaceCaller,
  question: string,
  person: Person = ON_STDERR,
): Promise<void> {
  await confirmScan(question, person)
  await allowScan(work)
}

/** Returns only after a yes; without a terminal, the error says how to give one. */
export async function confirmScan(question: string, person: Person = ON_STDERR): Promise<void> {
  if (!canAsk()) throw new Exit(EXIT_CODES.denied, question)
  note(question)
  if (await person.says('Scan all of it?')) return
  throw new Exit(EXIT_CODES.denied, 'nothing was scanned; name a smaller folder with -C')
}
