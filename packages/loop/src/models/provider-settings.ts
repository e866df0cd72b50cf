import { lookUp } from '@filewright/protocol'
import type { Provider, ProviderSetting, ProviderValues } from '../port/provider.ts'
import { providers } from './provider-table.ts'

/** What is set, by the provider's id and the setting's field. */
export type ValuesByProvider = Readonly<Record<string, Readonly<Record<string, string>>>>

type TextsByName = Readonly<Record<string, string | undefined>>

/** One that `filewright config` keeps. */
export type KeptSetting = ProviderSetting & { readonly name: string }

/** In the order of the providers. */
export const keptSettings: readonly KeptSetting[] = providers.flatMap(provider =>
  settingsOf(provider).flatMap(([, { name, ...setting }]) =>
    name === undefined ? [] : { name, ...setting },
  ),
)

/** An environment variable goes before a saved setting; an empty text counts as not set. */
export function readSetting(
  { variables, name }: ProviderSetting,
  environment: TextsByName,
  saved: TextsByName,
): string | undefined {
  const texts = [...variables.map(each => environment[each]), name && saved[name]]
  return texts.find(Boolean)
}

export function readProviderValues(environment: TextsByName, saved: TextsByName): ValuesByProvider {
  return Object.fromEntries(
    providers.flatMap(provider => {
      const values = settingsOf(provider).flatMap(([field, setting]) => {
        const value = readSetting(setting, environment, saved)
        return value ? [[field, value] as const] : []
      })
      return values.length > 0 ? [[provider.id, Object.fromEntries(values)]] : []
    }),
  )
}

/** Where both have a value, `first` wins. */
export function mergeValues(first: ValuesByProvider, second: ValuesByProvider): ValuesByProvider {
  const ids = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...ids].map(id => [id, { ...second[id], ...first[id] }]))
}

/** Ids of the providers that need settings and have them all. */
export function providersSetUp(values: ValuesByProvider): readonly string[] {
  return providers
    .filter(
      provider =>
        Object.keys(provider.needs).length > 0 && missingSetting(provider, values) === undefined,
    )
    .map(({ id }) => id)
}

/** The first setting that the provider needs and does not have. */
export function missingSetting(
  { id, needs }: Provider,
  values: ValuesByProvider,
): { readonly field: string; readonly setting: ProviderSetting } | undefined {
  const missing = Object.entries(needs).find(([field]) => !valuesFor(id, values)[field])
  return missing && { field: missing[0], setting: missing[1] }
}

export function valuesFor(id: string, values: ValuesByProvider): ProviderValues {
  return lookUp(values, id) ?? {}
}

function settingsOf({ needs, takes }: Provider): (readonly [field: string, ProviderSetting])[] {
  return Object.entries({ ...needs, ...takes }).flatMap(([field, setting]) =>
    setting ? [[field, setting]] : [],
  )
}
