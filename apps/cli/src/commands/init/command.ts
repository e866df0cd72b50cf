import { defineCommand } from '@filewright/host'
import { folder, large } from '../options.ts'

export default defineCommand({
  name: 'init',
  summary: 'write a first AGENTS.md: what every run in this folder should know',
  options: { cwd: folder, allowLarge: large },
  run: async (given, host) => (await import('./init.ts')).init(given, host),
})
