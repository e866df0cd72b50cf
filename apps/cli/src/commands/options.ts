import { argument, naming, option } from '@filewright/host'

/** Options and arguments that several commands take. */
export const folder = option('-C, --cwd <dir>', 'the folder to work on (default: this one)')
export const draft = naming(
  'drafts',
  option('--draft <id>', 'which draft (default: the one used last)'),
)
export const draftId = naming('drafts', argument('[draftId]', 'the same as --draft'))
export const asData = option('--json', 'as data')
export const large = option('--allow-large', 'scan a home folder, a disk root or a very large tree')
