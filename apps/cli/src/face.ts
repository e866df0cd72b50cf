import type { Face } from '@filewright/host'
import { commands } from './commands/index.ts'

/** The command line that a person types at, and scripts. */
const face: Face = { commands }
export default face
