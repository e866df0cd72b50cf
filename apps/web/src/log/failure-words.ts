import { COMMON_CODES, type Kind } from '@filewright/protocol'

/** What happened, for a person; the result itself is written for the model, and the line opens to it. */
const WORDS: Readonly<Record<Kind, string>> = {
  invalid: 'It asked for something that does not fit, and was told why.',
  missing: 'It was not found.',
  conflict: 'The file is not as it expected.',
  denied: 'It was not allowed.',
  limit: 'It was too much at once.',
  unsupported: 'This kind of file cannot do that.',
  unavailable: 'It could not be done now.',
  internal: 'It failed.',
}

/** Where a kind says too little. */
const OWN: Readonly<Record<string, string>> = {
  CANCELLED: 'It was stopped.',
  PRIVATE_FILE: 'The file is private.',
  FileExists: 'There is already a file of that name.',
  TIMEOUT: 'It took too long.',
  ENCRYPTED: 'The file has a password.',
  LOCKED: 'Another program has the file open.',
}

export function failureWords(code: string | null | undefined): string {
  const known: Readonly<Record<string, Kind>> = COMMON_CODES
  return OWN[code ?? ''] ?? WORDS[known[code ?? ''] ?? 'internal']
}

/** The answer of a person, as they gave it: the model reads who gave it. */
export function answerWords(content: string): string {
  return content.replace(/^The person (?:chose|answered in other words): /, 'You answered: ')
}
