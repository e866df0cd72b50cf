import type { Face } from '@filewright/host'

/** Our agent in an editor, over the Agent Client Protocol. */
const face: Face = { commands: [() => import('./command.ts')] }
export default face
