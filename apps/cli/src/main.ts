import type { Face, Load } from '@filewright/host'

/** Every face of the bin, a line each: no other module of an app imports another app. */
const faces: readonly Load<Face>[] = [
  () => import('./face.ts'), // what a person types, or a script
  () => import('@filewright/mcp'), // what the agent of another product asks
  () => import('@filewright/acp'), // what an editor asks our agent
]

/**
 * The engine's child and its thread start here too, so nothing is imported but what runs.
 * @param keepCode keeps what was compiled so far for the next start; for the engine, which is killed and never exits.
 */
export async function main(keepCode: () => void): Promise<void> {
  process.once('beforeExit', failSilentEnd)
  if (process.argv[2] === '__engine')
    await (await import('@filewright/host/engine')).runEngine(keepCode)
  else await (await import('./program.ts')).runProgram(faces)
  process.removeListener('beforeExit', failSilentEnd)
}

/** Something still waits for an event that cannot come any more: exiting with success would be a lie. */
function failSilentEnd(): void {
  process.exitCode = 1
  console.error('filewright: ended before its work was done; please report this.')
}
