import { defineCommand, option } from '@filewright/host'
import { large } from '../options.ts'

export default defineCommand({
  name: 'doctor',
  summary: 'a diagnosis without content, for bug reports',
  options: {
    cwd: option('-C, --cwd <dir>', 'look at this folder too, and name what no tool can use in it'),
    allowLarge: large,
  },
  run: async (given, host) => (await import('./doctor.ts')).doctor(given, host),
})
