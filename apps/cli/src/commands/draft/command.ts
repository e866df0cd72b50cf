import { argument, type CommandGroup, defineCommand, naming, option } from '@filewright/host'
import { asData, draftId, folder, draft as which } from '../options.ts'

const list = defineCommand({
  name: 'list',
  summary: 'every draft of the folder',
  isDefault: true,
  options: { cwd: folder, json: asData },
  run: async (given, host) => (await import('./draft.ts')).listDrafts(given, host),
})

const show = defineCommand({
  name: 'show',
  summary: 'as review',
  arguments: { draftId },
  options: { cwd: folder, draft: which, json: asData },
  run: async (given, host) => (await import('./draft.ts')).review(given, host),
})

const discard = defineCommand({
  name: 'discard',
  summary: 'drop a draft; no file changes',
  arguments: { draftId },
  options: { cwd: folder, draft: which },
  run: async (given, host) => (await import('./draft.ts')).discard(given, host),
})

const resolve = defineCommand({
  name: 'resolve',
  summary: 'decide changes that meet what somebody else saved',
  arguments: {
    changeIds: naming(
      'changes',
      argument('<changeIds...>', 'changes that review lists as in conflict'),
    ),
  },
  options: {
    theirs: option('--theirs', 'what is on disk stays, and the draft gives these changes up'),
    ours: option('--ours', "the draft's change stays, whatever is on disk there"),
    json: asData,
    cwd: folder,
    draft: which,
  },
  run: async (given, host) => (await import('./resolve.ts')).resolve(given, host),
})

const draft: CommandGroup = {
  name: 'draft',
  summary: 'list, show, discard drafts, or decide their conflicts',
  commands: [list, show, discard, resolve],
}

const review = defineCommand({
  name: 'review',
  summary: 'the changes of a draft, as a person reads them',
  arguments: { draftId },
  options: {
    stat: option('--stat', 'a line for each file: how many changes it has'),
    json: asData,
    cwd: folder,
    draft: which,
  },
  run: async (given, host) => (await import('./draft.ts')).review(given, host),
})

const publish = defineCommand({
  name: 'publish',
  summary: 'write the accepted changes of a draft, all or none',
  arguments: { draftId },
  options: {
    yes: option('--yes', 'do not ask'),
    only: naming(
      'changes',
      option('--only <ids...>', 'publish just these changes; the others stay in the draft'),
    ),
    refuse: naming(
      'changes',
      option('--refuse <ids...>', 'drop these changes, and publish the others'),
    ),
    json: asData,
    cwd: folder,
    draft: which,
  },
  run: async (given, host) => (await import('./draft.ts')).publish(given, host),
})

const name = option(
  '--name <paths...>',
  'write these files too, though other programs execute them unasked',
)

const ofTakingBack = {
  name,
  json: asData,
  cwd: folder,
  draft: naming('drafts', option('--draft <id>', 'the one this draft was published as')),
}

const undo = defineCommand({
  name: 'undo',
  summary: 'undo the last change set',
  arguments: {
    changeSetId: argument('[changeSetId]', 'which one (default: the last that can be undone)'),
  },
  options: ofTakingBack,
  run: async (given, host) => (await import('./draft.ts')).takeBack('undo', given, host),
})

const redo = defineCommand({
  name: 'redo',
  summary: 'redo the last undone change set',
  arguments: {
    changeSetId: argument('[changeSetId]', 'which one (default: the last that can be redone)'),
  },
  options: ofTakingBack,
  run: async (given, host) => (await import('./draft.ts')).takeBack('redo', given, host),
})

const restore = defineCommand({
  name: 'restore',
  summary: 'bring back what another program wrote into a file that was replaced',
  arguments: { id: argument('<id>', 'as the report names it') },
  options: { name, json: asData, cwd: folder },
  run: async (given, host) => (await import('./draft.ts')).restore(given, host),
})

export default [draft, review, publish, undo, redo, restore]
