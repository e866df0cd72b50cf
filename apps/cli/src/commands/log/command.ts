import { argument, defineCommand, naming, notWith, option } from '@filewright/host'
import { folder } from '../options.ts'

export default defineCommand({
  name: 'log',
  summary: 'the history of a session',
  arguments: { session: naming('sessions', argument('[session]', 'default: the one used last')) },
  options: {
    jsonl: option('--jsonl', 'messages and tool results, one JSON object per line'),
    sent: notWith(['jsonl'], option('--sent', 'the requests to each model')),
    sessions: notWith(['jsonl', 'sent'], option('--sessions', 'list the sessions')),
    delete: notWith(
      ['jsonl', 'sent', 'sessions'],
      option('--delete', 'delete the session and its log'),
    ),
    yes: option('--yes', 'with --delete: its open draft too'),
    cwd: folder,
  },
  run: async (given, host) => (await import('./log.ts')).log(given, host),
})
