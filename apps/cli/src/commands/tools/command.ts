import { choice, defineCommand, notWith, option } from '@filewright/host'

const openai = notWith(['json'], option('--openai', 'as an OpenAI function list'))

export default defineCommand({
  name: 'tools',
  summary: 'the tool catalog',
  options: {
    json: option('--json', 'the whole catalog'),
    openai,
    mcp: notWith(['json', 'openai'], option('--mcp', 'as an MCP tool list')),
    markdown: notWith(
      ['json', 'openai', 'mcp', 'toolset'],
      option('--markdown', 'as the reference in docs/tools.md'),
    ),
    toolset: choice('--toolset <name>', 'only the tools of one toolset', ['workspace', 'workshop']),
  },
  run: async given => (await import('./tools.ts')).tools(given),
})
