import { argument, defineCommand } from '@filewright/host'
import { folder } from '../options.ts'

export default defineCommand({
  name: 'active',
  summary: 'files that are active in the standing session',
  arguments: {
    action: argument('[action]', 'list, add or remove', 'list'),
    paths: argument('[paths...]', 'for add and remove'),
  },
  options: { cwd: folder },
  run: async (given, host) => (await import('./active.ts')).active(given, host),
})
