import { type Caller, modelResolver, note, readConfig } from '@filewright/host'
import { demonstrations, type Model } from '@filewright/loop'

/** Says which model runs use, before anybody starts one. */
export async function noteModel({ isOwner }: Pick<Caller, 'isOwner'>): Promise<void> {
  const { model, baseUrl } = readConfig()
  if (!isOwner() && !model && !baseUrl)
    return note('Model: none is set here, so runs use that of the process that was started first')
  const found = await modelResolver(readConfig).resolve(undefined)
  note(found.ok ? describe(found.value) : `Model: no run can start yet. ${found.failure.message}`)
}

function describe(model: Model): string {
  const demonstration = demonstrations.find(({ name }) => name === model.name)
  if (demonstration)
    return `Model: ${model.name}, ${demonstration.shownAs}. Set one with FILEWRIGHT_MODEL or "filewright config set model NAME"`
  const address = model.endpoint()
  return `Model: ${model.name}${address === null ? '' : ` at ${address}`}`
}
