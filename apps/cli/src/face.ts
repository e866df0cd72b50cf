import type { Face } from '@filewright/host'
import { commands } from './commands/index.ts'

/** The commands that a person types, or a script. */
const face: Face = { commands }
export default face
