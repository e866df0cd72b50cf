import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §1. */
export const words: SectionEntries[string] = {
  'one conversation at a time': 'A session has one open conversation at any time.',
  'clearing the context':
    'Clearing the context starts a new conversation in the same session: the sessionId stays, the conversationId changes, and the model sees nothing of the old one.',
  'both ids in every envelope':
    'Every result envelope, of success and of failure, carries sessionId and conversationId.',
  'one vocabulary':
    'The catalog, messages and the interface use the words of the glossary and none of the words that it tells to avoid.',
}
