import { inFolder, note, unwrapOrExit, type Work } from '@filewright/host'
import { type InstructionFile, toShellWord, visible } from '@filewright/protocol'
import { canAsk, ON_STDERR, type Person } from './prompt.ts'

const LINES_SHOWN = 40

/** Asks about files that tell agents how to work here and that nobody allowed yet; without a terminal it says so. */
export async function settleInstructions(work: Work, person: Person = ON_STDERR): Promise<void> {
  const { connection, params } = work
  const nested = canAsk() ? 'true' : 'false'
  const listed = await connection.call('listInstructions', { params, query: { nested } })
  if (!listed.ok) return // the run says what is wrong
  for (const file of listed.value.files.filter(({ isAllowed }) => !isAllowed))
    if (canAsk()) await ask(work, file, person)
    else
      note(
        `· ${visible(file.path)} was not loaded as instructions: nobody has allowed it. Read it, then allow it with: filewright rules add --effect instructions --path ${toShellWord(file.path)} ${inFolder(work)}`,
      )
}

async function ask(
  { connection, params }: Work,
  { path, sha256, text }: InstructionFile,
  person: Person,
) {
  const lines = text.split('\n')
  const more = lines.length > LINES_SHOWN ? ['… (more in the file)'] : []
  note(`${visible(path)} tells agents how to work here:`)
  for (const line of [...lines.slice(0, LINES_SHOWN), ...more]) note(`  ${visible(line)}`)
  if (!(await person.says('Load it as instructions, as long as it stays like this?'))) return
  const body = { effect: 'instructions', path, sha256 } as const
  unwrapOrExit(await connection.call('addRule', { params, body }))
}
