import type { Face } from '@filewright/host'

/** Our tools, drafts and history for the agent of another product, over MCP. */
const face: Face = {
  commands: [() => import('./command.ts')],
  routes: [
    {
      path: '/mcp',
      isOfWorkspace: true,
      answer: async (request, caller) => (await import('./answer.ts')).answer(request, caller),
    },
  ],
}
export default face
