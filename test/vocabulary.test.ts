import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { verifies } from './verifies.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** ARCHITECTURE §4 has another word for each of these things. (Cells are merged, and other programs save.) */
const AVOIDED =
  /\b(workbench|project|repo(sitory)?|file ?name|uri|anchor|cloud|revision|buffer|thread|chat|job|step|iteration|round|function call|action|hint|patchset|hunk|command|handle|slug|sandbox|staging|commit|save|merge|transaction|permission prompt|snapshot|backup)\b/i

/** Places where the word means something else. */
const OTHERWISE = [
  'next step of a stopped run', // what resume takes
  'written in one step',
  'workspace snapshot', // the directory snapshot of the prompt (CONTRACT §7)
  'tests next to their project', // the person's, not ours
  'command line',
  'a command or a topic', // of the command line
  'the command or its arguments',
  'the thread ended with', // of the engine's process
  'ave it as', // in another program
  'ave it in the current format',
  'form-action', // a header
  'base-uri',
  'sandbox;',
  'sandbox allow-scripts',
  ' ROUND ', // a function of workbooks
  'round: ', // what transform_cells does with numbers
  '"round"',
  'round takes',
  '\nROUND ',
  'merge="1"', // words of a workbook part itself
  '<ext uri',
  'pre-commit', // names of other programs' files
  '.jj/repo/',
  ' .project ',
  'w:uri=', // words of a document's part
  'ds:uri=',
  'at revision', // of a draft, which its review names and publishing checks (CONTRACT §6)
]

const SQL = /\b(select|insert|update|delete|create|begin|pragma)\b.*|^; commit$/is

verifies(
  'CONTRACT §1 one vocabulary',
  'messages for people and models use our words, and none of those to avoid',
  () => {
    const found = sources().flatMap(path => textsIn(path).flatMap(text => wordsToAvoid(path, text)))
    expect(found).toEqual([])
  },
)

test('a word to avoid is found in a message, and a different meaning is allowed', () => {
  expect(wordsToAvoid('a.ts', 'Cannot merge the draft')).toEqual([
    'a.ts: "merge" in "Cannot merge the draft"',
  ])
  expect(wordsToAvoid('a.ts', 'Tell it on the command line')).toEqual([])
})

function wordsToAvoid(path: string, text: string): string[] {
  const rest = OTHERWISE.reduce((left, phrase) => left.replaceAll(phrase, ''), text)
  const [word] = SQL.test(rest) ? [] : (rest.match(AVOIDED) ?? [])
  return word ? [`${path}: "${word}" in "${text.trim()}"`] : []
}

/** Literals with a space in them: prose, and not names. */
function textsIn(path: string): string[] {
  const texts: string[] = []
  const { program } = parseSync(path, readFileSync(join(root, path), 'utf8'))
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateElement: ({ value }) => void texts.push(value.cooked ?? ''),
    JSXText: ({ value }) => void texts.push(value),
  }).visit(program)
  return texts.filter(text => text.trim().includes(' '))
}

function sources(): string[] {
  return ['packages', 'apps'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(path => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter(path => /^[^/]+\/[^/]+\/src\/.*\.tsx?$/.test(path))
      .filter(path => !/\/(scenarios|testing)\/|\.(test|contract)\.tsx?$/.test(path)),
  )
}
