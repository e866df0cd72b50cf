import type { Provider } from '../port/provider.ts'
import * as listed from './providers.ts'

/** Every provider, in the order people read them. */
export const providers: readonly Provider[] = toTable(listed)

export function findProvider(id: string): Provider | undefined {
  return providers.find(provider => provider.id === id)
}

/** Models that demonstrate the product when there is no real one. */
export const demonstrations: readonly { readonly name: string; readonly shownAs: string }[] =
  providers.flatMap(({ id, demonstration }) =>
    demonstration ? { name: `${id}/${demonstration.id}`, shownAs: demonstration.shownAs } : [],
  )

export function toTable(lines: Readonly<Record<string, Provider>>): readonly Provider[] {
  for (const [line, { id }] of Object.entries(lines))
    if (line !== id)
      throw new Error(
        `The line "${line}" of providers.ts lists a provider with the id "${id}": give both the same name`,
      )
  return Object.values(lines).sort((a, b) => placeOf(a) - placeOf(b))
}

/** Hosted providers, then local servers, with those first that know which models call tools, then the demonstration. */
function placeOf({ local, demonstration }: Provider): number {
  if (demonstration) return 4
  if (!local) return 0
  return local.isPreferred ? 1 : local.callsTools ? 2 : 3
}
