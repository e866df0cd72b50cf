import { commandLine } from './contract/command-line.ts'
import { files } from './contract/files.ts'
import { loop } from './contract/loop.ts'
import { patches } from './contract/patches.ts'
import { results } from './contract/results.ts'
import { safety } from './contract/safety.ts'
import { toolsets } from './contract/toolsets.ts'
import { words } from './contract/words.ts'
import { writeModel } from './contract/write-model.ts'
import { requirementsOf } from './requirement.ts'

export const contract = requirementsOf('CONTRACT', {
  '1': words,
  '2': files,
  '3': results,
  '4': toolsets,
  '5': patches,
  '6': writeModel,
  '7': loop,
  '8': safety,
  '9': commandLine,
})
