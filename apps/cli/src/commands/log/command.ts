import { argument, defineCommand, notWith, option } from '@filewright/host'
import { folder } from '../options.ts'

export default defineCommand({
  name: 'log',
  summary: 'the history of a session',
  arguments: { session: argument('[session]', 'default: the one touched last') },
  options: {
    jsonl: option('--jsonl', 'messages and tool results, one JSON object a line'),
    sent: notWith(['jsonl'], option('--sent', 'what went to which model')),
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
