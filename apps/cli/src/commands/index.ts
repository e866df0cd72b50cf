import type { Face } from '@filewright/host'

/** In the order in which `filewright --help` lists them: a command is one folder, and one line here. */
export const commands: Face['commands'] = [
  () => import('./session/command.ts'),
  () => import('./call/command.ts'),
  () => import('./run/command.ts'),
  () => import('./queue/command.ts'),
  () => import('./models/command.ts'),
  () => import('./config/command.ts'),
  () => import('./rpc/command.ts'),
  () => import('./tools/command.ts'),
  () => import('./draft/command.ts'),
  () => import('./diff/command.ts'),
  () => import('./approvals/command.ts'),
  () => import('./rules/command.ts'),
  () => import('./log/command.ts'),
  () => import('./serve/command.ts'),
  () => import('./attach/command.ts'),
  () => import('./tokens/command.ts'),
  () => import('./active/command.ts'),
  () => import('./migrate/command.ts'),
  () => import('./doctor/command.ts'),
  () => import('./init/command.ts'),
  () => import('./completion/command.ts'),
  () => import('./help/command.ts'),
]
