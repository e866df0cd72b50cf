import { counted } from '@filewright/protocol'
import type { Edited } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'

const FILES_TOLD = 100

/** One answer for a file made from each row: its fields are the first one's, with all of them in `files`. */
export function toCopiesAnswer(made: readonly Edited[], options: { listsChanges: boolean }) {
  const [first] = made
  const answer = toEditedAnswer(first!, options)
  const files = made.map(({ file, results, warnings }) => ({
    path: file.path,
    message: results.map(({ message }) => message).join(' '),
    unfilled: results.flatMap(({ unfilled }) => (Array.isArray(unfilled) ? unfilled : [])),
    warnings,
  }))
  const changeCount = made.reduce((sum, { changes }) => sum + changes.length, 0)
  const message = `Created ${counted(made.length, 'file')} in the draft, one for each row: ${files
    .slice(0, 10)
    .map(({ path }) => path)
    .join(', ')}${made.length > 10 ? ' …' : ''}.`
  const warnings = [
    ...new Set(files.flatMap(file => file.warnings.map(text => `${file.path}: ${text}`))),
  ]
  return {
    ...answer,
    fields: {
      ...answer.fields,
      results: made.flatMap(({ results }) => results).slice(0, FILES_TOLD),
      changeCount,
      files: files.slice(0, FILES_TOLD),
    },
    message,
    text: [
      message,
      'The person publishes the draft.',
      ...warnings.slice(0, 40).map(text => `Warning: ${text}`),
    ].join('\n'),
    warnings,
    effects: made.flatMap(edited => toEditedAnswer(edited, options).effects),
  }
}
