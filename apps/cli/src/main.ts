import { Command } from 'commander'
import { version } from './version.ts'

const program = new Command('filewright')
  .description('Agents that work on your files, and cannot wreck them.')
  .version(version)

await program.parseAsync()
