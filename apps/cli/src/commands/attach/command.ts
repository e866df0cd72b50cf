import { defineCommand, option, required } from '@filewright/host'
import { folder, large } from '../options.ts'

export default defineCommand({
  name: 'attach',
  showsProgress: true,
  summary: 'offer a folder to a server on another machine',
  options: {
    server: required(option('--server <url>', 'its address, such as http://192.168.1.5:4680')),
    token: option('--token <token>', 'the one that server printed (default: FILEWRIGHT_TOKEN)'),
    yes: option('--yes', 'let it write without asking here, but for files that programs execute'),
    reviewThere: option('--review-there', "decide about writes on that server's page, not here"),
    cwd: folder,
    allowLarge: large,
  },
  run: async given => (await import('./attach.ts')).attach(given),
})
