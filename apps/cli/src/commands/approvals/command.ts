import {
  argument,
  type CommandGroup,
  choice,
  defineCommand,
  naming,
  option,
} from '@filewright/host'
import { asData, folder } from '../options.ts'

const list = defineCommand({
  name: 'list',
  summary: 'each with what it would change',
  isDefault: true,
  options: { all: option('--all', 'include answered ones'), json: asData, cwd: folder },
  run: async (given, host) => (await import('./approvals.ts')).list(given, host),
})

const id = naming('approvals', argument('<id>', 'the approval, or "all"'))

const ofDeciding = {
  reason: option('--reason <text>', 'passed on to the model'),
  remember: choice('--remember <how>', 'turn it into a rule', ['session', 'always']),
  json: asData,
  cwd: folder,
}

const approve = defineCommand({
  name: 'approve',
  summary: 'write it; without an id, a terminal asks about each',
  arguments: { id: naming('approvals', argument('[id]', 'the approval, or "all"')) },
  options: {
    ...ofDeciding,
    refuse: option('--refuse <changeIds...>', 'accept all but these changes'),
  },
  run: async (given, host) => (await import('./approvals.ts')).decide('approve', given, host),
})

const deny = defineCommand({
  name: 'deny',
  summary: 'refuse it; nothing is written',
  arguments: { id },
  options: ofDeciding,
  run: async (given, host) => (await import('./approvals.ts')).decide('deny', given, host),
})

const answer = defineCommand({
  name: 'answer',
  summary: 'answer a question of a model',
  arguments: {
    id: argument('<id>', 'the question'),
    answer: argument('<answer>', 'a choice, its number, or your own words'),
  },
  options: { json: asData, cwd: folder },
  run: async (given, host) => (await import('./questions.ts')).answerQuestion(given, host),
})

const approvals: CommandGroup = {
  name: 'approvals',
  summary: 'what waits for a person',
  commands: [list, approve, deny, answer],
}

export default approvals
