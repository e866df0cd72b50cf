import { defineCommand, option } from '@filewright/host'
import { asData } from '../options.ts'

export default defineCommand({
  name: 'migrate',
  summary: 'moves the state of this machine to a shared database and bucket',
  options: {
    from: option('--from <dir>', 'the state folder (default: the one in use)'),
    to: option('--to <url>', 'the database (default: FILEWRIGHT_DATABASE)'),
    json: asData,
  },
  run: async given => (await import('./migrate.ts')).migrate(given),
})
