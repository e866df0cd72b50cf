import type { ModelFacts, ModelResult } from './model.ts'

/**
 * Where models come from: a folder of models/ and a line in providers.ts. Names, settings and discovery are data here and
 * cheap to load; a model's code is loaded with its first use.
 */
export interface Provider<Needed extends string = string, Optional extends string = string> {
  /** The first half of a model's name: `id/model`. The folder has the same name. */
  readonly id: string
  /** As people call it. */
  readonly title: string
  /** Settings that its models require, by field. */
  readonly needs: Readonly<Record<Needed, ProviderSetting>>
  /** Optional settings, by field. */
  readonly takes: Readonly<Partial<Record<Optional, ProviderSetting>>>
  /** Matches the model ids that can only be this provider's. */
  readonly family?: RegExp
  /** What is known of its models without asking it. */
  readonly known?: KnownModels
  /** For a server that people run on their own machine. */
  readonly local?: LocalServer<Optional>
  /** A model that demonstrates the product when there is no real one; it sends nothing anywhere. */
  readonly demonstration?: { readonly id: string; readonly shownAs: string }
  /** `set` is what the person said of this model; `facts` has it too, over what is known. */
  model(
    id: string,
    values: ProviderValues<Needed, Optional>,
    said: SaidOfModel,
  ): Promise<ModelResult>
}

export interface SaidOfModel {
  readonly facts: ModelFacts
  readonly set: ModelFacts
}

/** A table of well-known models. It ages, so it has its date, and what a person sets goes before it. */
export interface KnownModels {
  /** When its figures were looked up: a day. */
  readonly asOf: string
  /** By id, without the date of a snapshot. */
  readonly models: Readonly<Record<string, ModelFacts>>
}

/** Set by the provider's usual environment variables, or once with `filewright config`. */
export interface ProviderSetting {
  /** The first one with a value counts. */
  readonly variables: readonly string[]
  /** Its name in `filewright config`; without one, only the environment sets it. */
  readonly name?: string
  /** One line of help. */
  readonly help: string
  readonly isSecret?: boolean
}

/** What is set for a provider, by field. */
export type ProviderValues<Needed extends string = string, Optional extends string = string> = {
  readonly [Field in Needed]: string
} & { readonly [Field in Optional]?: string }

export interface LocalServer<Optional extends string = string> {
  /** Its endpoint on this machine; undefined where the settings put it elsewhere: then it is used only by name. */
  baseUrl(values: ProviderValues<never, Optional>): string | undefined
  /** Which of its models call tools, as far as it says. Must not throw. */
  callsTools?(served: ServedModels, signal: AbortSignal): Promise<ReadonlyMap<string, boolean>>
  /** Its models come first when several servers run and no model was chosen. */
  readonly isPreferred?: boolean
}

export interface ServedModels {
  readonly baseUrl: string
  /** Ids. */
  readonly models: readonly string[]
}
