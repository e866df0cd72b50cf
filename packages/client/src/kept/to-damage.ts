import type { Damage } from '../state/damage.ts'

export function toDamage(salvaged: {
  readonly lost: number
  readonly keptAs: string | null
}): Damage | undefined {
  const { lost, keptAs } = salvaged
  return keptAs === null ? undefined : { lines: lost, keptAs }
}
