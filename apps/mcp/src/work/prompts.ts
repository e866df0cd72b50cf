import { fail, ok, type Result } from '@filewright/protocol'

interface PromptDeclaration {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly {
    readonly name: string
    readonly description: string
    readonly required: boolean
  }[]
  /** What the host sends its model in the person's name. */
  text(given: Readonly<Record<string, string>>): string
}

const path = { name: 'path', description: 'The file', required: true }

/** Common jobs, for the menu of a host. */
const PROMPTS: readonly PromptDeclaration[] = [
  {
    name: 'overview',
    title: 'What is in this folder?',
    description: 'A short account of the folder and its most important files',
    arguments: [],
    text: () =>
      'Look through this folder with list_files, look into the most important files with get_file_info, and tell me in ten lines what is here. Change nothing.',
  },
  {
    name: 'edit_file',
    title: 'Change a file',
    description: 'Makes one change in a draft, and shows it before anything is written',
    arguments: [path, { name: 'change', description: 'What to change', required: true }],
    text: ({ path: file, change }) =>
      `In ${file}: ${change}\nRead what you need first, make the change in the draft and nothing else, then show me review_draft. Do not publish before I say so.`,
  },
  {
    name: 'compute',
    title: 'Compute from a table',
    description: 'A figure from a csv or a sheet, computed and not guessed',
    arguments: [path, { name: 'question', description: 'What to compute', required: true }],
    text: ({ path: file, question }) =>
      `From the tables of ${file}: ${question}\nLook at the columns with get_file_info, compute with table_query, and tell me the figure, the rows it is made of, and every warning.`,
  },
  {
    name: 'review',
    title: 'What would be written?',
    description: 'The draft in plain words, file by file',
    arguments: [],
    text: () =>
      'Call review_draft, every page of it. Tell me file by file what would change, what looks wrong or unasked for, and what you would leave out. Publish nothing.',
  },
]

/** The answer to `prompts/list`. */
export const listedPrompts = PROMPTS.map(({ text: _, ...listed }) => listed)

export function findPrompt(
  name: string,
  given: Readonly<Record<string, string>> = {},
): Result<{ readonly description: string; readonly text: string }> {
  const found = PROMPTS.find(prompt => prompt.name === name)
  if (!found)
    return fail(
      'NOT_FOUND',
      `There is no prompt "${name}". The prompts are ${PROMPTS.map(prompt => prompt.name).join(', ')}.`,
    )
  const missing = found.arguments.find(each => each.required && !given[each.name])
  if (missing) return fail('INVALID_ARGUMENT', `The prompt ${name} needs "${missing.name}".`)
  return ok({ description: found.description, text: found.text(given) })
}
