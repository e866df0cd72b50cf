import { argument, defineCommand } from '@filewright/host'
import { asData } from '../options.ts'

export default defineCommand({
  name: 'diff',
  summary: 'how two files of one format differ, as review shows it',
  arguments: {
    before: argument('<a>', 'a file'),
    after: argument('<b>', 'another file of its format'),
  },
  options: { json: asData },
  run: async given => (await import('./diff.ts')).diff(given),
})
