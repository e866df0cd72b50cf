import { ok } from '@filewright/protocol'
import { findInstructed, type InstructionPorts, readInstructions } from '../files/instructions.ts'
import type { MethodTable } from '../link/answerer.ts'

/** What folders tell agents, and whether a person allowed it. */
export function createInstructionMethods(
  ports: InstructionPorts,
): Pick<MethodTable, 'instructions'> {
  return {
    async instructions({ folders }) {
      return ok({ files: await readInstructions(ports, folders ?? (await findInstructed(ports))) })
    },
  }
}
