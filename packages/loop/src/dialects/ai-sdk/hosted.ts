import { fail, ok } from '@filewright/protocol'
import type { Model, ModelFacts, ModelResult } from '../../port/model.ts'
import type { KnownModels, Provider, SaidOfModel } from '../../port/provider.ts'
import { endpointUrl, toNoAddress } from '../../wire/endpoint-url.ts'
import type { ModelTimeouts } from '../../wire/timeouts.ts'

export interface HostedModelOptions {
  readonly id: string
  readonly apiKey: string
  readonly baseUrl?: string
  /** What is known of the model. */
  readonly facts?: ModelFacts
  /** Only where the person set it: the provider's own limit is right for everybody else. */
  readonly outputTokens?: number
  readonly timeouts?: Partial<ModelTimeouts>
}

export interface HostedModel {
  readonly id: string
  readonly title: string
  readonly keyVariables: readonly string[]
  /** They replace the provider's own address, for a proxy. */
  readonly addressVariables: readonly string[]
  readonly family: RegExp
  readonly known: KnownModels
  load(): Promise<(options: HostedModelOptions) => Model>
}

/** A provider whose models need a key of its own. */
export function hosted(facts: HostedModel): Provider<'key', 'address'> {
  const { id, title, family, known, keyVariables, addressVariables } = facts
  return {
    id,
    title,
    family,
    known,
    needs: {
      key: {
        variables: keyVariables,
        name: `${id}-key`,
        help: `the key for ${title}`,
        isSecret: true,
      },
    },
    takes: {
      address: {
        variables: addressVariables,
        name: `${id}-url`,
        help: `the address of ${title}, for a proxy`,
      },
    },
    model: (model, { key, address }, said) => open(facts, model, key, address, said),
  }
}

async function open(
  { id: provider, load }: HostedModel,
  id: string,
  apiKey: string,
  address: string | undefined,
  { facts, set }: SaidOfModel,
): Promise<ModelResult> {
  const name = `${provider}/${id}`
  const url = address === undefined ? undefined : endpointUrl(address, '')
  if (address !== undefined && !url) return toNoAddress(name, address)
  if (url?.username || url?.password)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot use ${name}: its address holds a user or a password. Leave them out: requests carry the key.`,
    )
  const create = await load()
  const baseUrl = url?.href.replace(/\/+$/, '')
  return ok(create({ id, apiKey, baseUrl, facts, outputTokens: set.outputTokens }))
}
