import { adr0010 } from './requirements/adr-0010.ts'
import { contract } from './requirements/contract.ts'
import type { Requirement } from './requirements/requirement.ts'
import { tul001 } from './requirements/tul-001.ts'
import { tul002 } from './requirements/tul-002.ts'
import { tul004 } from './requirements/tul-004.ts'

/** One entry per observable behaviour of the specs. Tests cite the ids with `verifies`. */
export const requirements: Requirement[] = [
  ...tul001,
  ...tul002,
  ...tul004,
  ...adr0010,
  ...contract,
]
