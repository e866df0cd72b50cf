import { defineCommand } from '@filewright/host'
import { folder, large } from '../options.ts'

export default defineCommand({
  name: 'rpc',
  showsProgress: true,
  summary: 'JSON-RPC 2.0 on stdio, for products that embed the agent',
  options: { cwd: folder, allowLarge: large },
  run: async (given, host) => (await import('./rpc.ts')).rpc(given, host),
})
