import { EXIT_CODES, LIMITS } from '@filewright/protocol'
import { Exit } from '../exit/exit.ts'
import { ENGINES } from './settings.ts'

/** Not checked where settings are read: a wrong one must not keep a person from mending it. */
export function toProcesses(given: string | undefined): number {
  const count = given === undefined ? LIMITS.engineProcesses : Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= LIMITS.engineProcessesMost) return count
  throw new Exit(
    EXIT_CODES.invalid,
    `the setting "${ENGINES.name}" (${ENGINES.variables[0]}) is ${JSON.stringify(given)}, but takes a whole number from 1 to ${LIMITS.engineProcessesMost}`,
  )
}
