import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §8. */
export const safety: SectionEntries[string] = {
  'only through the root':
    'No tool reaches a path of the disk but through the root of the workspace.',
  'absolute refused': 'Absolute paths are refused at write time with InvalidPath.',
  'drive and UNC refused': 'Drive and UNC paths are refused at write time with InvalidPath.',
  'device names refused':
    'Device names such as NUL, CON or COM1, with or without an ending, are refused with InvalidPath.',
  'dot-dot refused': 'A path with `..` is refused with InvalidPath.',
  'NUL refused': 'A path with a NUL character is refused with InvalidPath.',
  'symlinked ancestors refused': 'A write below a symlinked folder is refused with InvalidPath.',
  'swapped ancestor caught':
    'A folder that becomes a link between check and use never leads a write outside.',
  'hostile work in a child':
    "Parsing office files, pdfs and images, SQL and regular expressions happen in another process than the server's and the client's.",
  'child killed by time':
    'A child that takes too long is killed; the call fails with TIMEOUT and the next works.',
  'child killed by memory':
    'A child that takes too much memory is killed; the call fails and the next works.',
  'sizes bounded first': 'Sizes, ratios and depth are checked before memory is spent.',
  'entities bounded': 'An XML part that expands entities is refused and not expanded.',
  'input is UTF-8':
    'A body, a line or arguments that are not UTF-8 are refused, and nothing of them is written with letters replaced.',
  'loopback by default': 'The server listens on loopback by default.',
  'host checked': 'A request with a foreign Host is refused.',
  'origin checked': 'A request with a foreign Origin is refused.',
  'token asked': 'Everything under /api answers 401 without a token.',
  '401 before routing': 'A path under /api that does not exist answers 401 without a token too.',
  'npm start ends': '`npm start` ends with its server when npm alone gets SIGTERM.',
  'tokens not in the journal': 'Our tokens and provider keys are in no journal row and no log.',
  'keys not to the model':
    'Our tokens and provider keys are in no request to a model but its own authorisation.',
  'keys mode 0600': 'A key that is saved is in a file of mode 0600.',
  'keys from the environment': 'A key in the environment is used and not saved.',
  'question that decides':
    'A question whose answer publishes, undoes, discards, or lets a call out is answered with the right to approve, by nobody who worked in its session.',
  'question leaves a decision':
    'An answer that decides has a row in the list of decisions, with who, what about, and how it ended.',
  'question bound':
    'A yes counts for the asker, the deed and the words that were shown; no other token can ask the same question beforehand.',
  'answer makes a rule': 'An answer that makes a rule takes what making the rule takes.',
  'policy bound to its giver':
    'A run with a policy of its giver asks as soon as words of another token reach its session, and nothing of such a session is published unasked.',
  'session deleted by its own':
    'A session is deleted by who made it, or with the right to admin, and that has a row in the list of decisions.',
  'blob by a readable path':
    'Bytes are given out by their hash only while some path that has or had them may be read.',
  "person's page token":
    'Names of folders of the machine are listed for the page of the person on loopback, and for no other token.',
  'what was sent': 'For each request a person can later see which provider received what.',
}
