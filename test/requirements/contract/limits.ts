import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §7, the table of limits. */
export const limits: SectionEntries[string] = {
  'limits in one table': 'limits.ts contains every limit with its source.',
  'limit tool calls': 'A turn runs at most 50 tool calls.',
  'limit turns': 'A run has at most 50 turns.',
  'limit turns set': '`--max-turns` sets another number of turns.',
  'limit tool time': 'A tool has 30 s.',
  'limit waiting not counted':
    'Time in which a call waits for a person does not count as tool time.',
  'limit run budget':
    'A run stops at its budget of tokens or money when one is set, and none is set by default.',
  'limit run time': 'A run stops at its budget of time when one is set.',
  'limit spend shown': 'Tokens and money are always counted and shown.',
  'limit prices':
    'Prices come from a dated table of known models, and a person can set the price of any model.',
  'limit text content': 'A created or written text file has at most 10 MB of content.',
  'limit one result': 'The model sees at most 48 KB of one result.',
  "limit turn's results": 'The model sees at most 160 KB of the results of one turn.',
  'limit snapshot': 'The directory snapshot has at most 400 entries and a depth of 4.',
  'limit active file': 'One active file is sent up to 256 KB.',
  'limit active files':
    "The active files in a prompt come to no more than 1 MB and no more than a quarter of the model's context.",
  'limit request body': 'A request body over 4 MB is refused.',
  'limit blob': 'A blob is streamed, up to 2 GB.',
  'limit package entries': 'An office package of more than 10,000 entries is refused.',
  'limit package sizes': 'A part of more than 256 MB unpacked, or 1 GB in all, is refused.',
  'limit package ratio':
    'A part that unpacks to over 200 times its size, beyond 10 MB, is refused.',
  'limit xml depth': 'XML deeper than 256 is refused.',
  'limit table_query time': 'table_query is ended after 10 s.',
  'limit table_query memory': 'table_query is ended at 512 MB.',
  'limit table_query rows': 'table_query shows at most 1,000 rows, and says how many there are.',
  'limit checkpoints':
    'Checkpoints and drafts are kept for 30 days or 2 GB, and the oldest go first.',
  'limit open draft kept': 'An open draft is never removed by age or size.',
}
