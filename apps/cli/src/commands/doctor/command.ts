import { defineCommand, option } from '@filewright/host'
import { large } from '../options.ts'

export default defineCommand({
  name: 'doctor',
  summary: 'a diagnosis without content, for bug reports',
  options: {
    cwd: option(
      '-C, --cwd <dir>',
      'also check this folder and list the files that no tool can use',
    ),
    allowLarge: large,
  },
  run: async (given, host) => (await import('./doctor.ts')).doctor(given, host),
})
