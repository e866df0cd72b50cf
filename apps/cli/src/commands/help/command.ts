import { argument, defineCommand, naming } from '@filewright/host'

export default defineCommand({
  name: 'help',
  summary: 'help on a command or a topic: exit-codes, json, keys, models, plan, publishing, rules',
  arguments: { topic: naming('topics', argument('[topic]', 'a command or a topic')) },
  run: async ({ topic }) => (await import('./help.ts')).help(topic),
})
