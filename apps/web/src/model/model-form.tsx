import type { Failure, ModelSettings, TriedModel } from '@filewright/protocol'
import { visible } from '@filewright/protocol'
import { type FormEvent, useId, useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import type { Polled } from '../use-polled.ts'
import { tellModelSet } from './model-news.ts'

const FIELD = 'w-full rounded-md border border-field bg-card px-2 py-1 text-sm'
/** An endpoint of one's own: it has no provider's name. */
const OWN = ''

/** The form, or what there is to say to somebody who cannot set the model. */
export function ModelPart({
  api,
  asked: { value, failure, reload },
}: {
  api: Api
  asked: Polled<ModelSettings>
}) {
  if (value?.canSet) return <ModelForm api={api} settings={value} onSet={reload} />
  if (!value && !failure) return <p className="mt-2 text-muted">Loading …</p>
  return (
    <div className="mt-2 rounded-lg border border-line bg-card p-4">
      {value && <InUse current={value.current} />}
      <p className="text-sm text-muted">Whoever runs this server sets the model.</p>
    </div>
  )
}

function InUse({ current }: Pick<ModelSettings, 'current'>) {
  return (
    <>
      <p className="keep-inside text-sm">
        In use: <strong>{visible(current.name ?? 'none')}</strong>
        <span className="text-muted">
          {current.isDemonstration && ', a demonstration, not a model'}
          {current.address && `, at ${visible(current.address)}`}
        </span>
      </p>
      {current.problem && (
        <p className="keep-inside mt-1 text-sm text-danger">{visible(current.problem)}</p>
      )}
    </>
  )
}

/** Which model runs use, where it is, and the key it needs: a key goes to the server and never comes back. */
function ModelForm({
  api,
  settings,
  onSet,
}: {
  api: Api
  settings: ModelSettings
  onSet: () => void
}) {
  const form = useModelForm(api, settings, onSet)
  const { current, found } = settings
  return (
    <form className="mt-2 rounded-lg border border-line bg-card p-4" onSubmit={form.set}>
      <InUse current={current} />
      <ModelFields form={form} settings={settings} />
      {found.length > 0 && <Found {...{ found }} onChoose={form.setModel} />}
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button disabled={form.busy}>Use this model</Button>
        <Button type="button" kind="quiet" disabled={form.busy} onClick={form.test}>
          Use and test it
        </Button>
        <p role="status" className="keep-inside text-sm text-muted">
          {form.busy ? 'Asking … A model that has to load first may take a minute.' : form.said}
        </p>
      </div>
      {form.failure && <FailureNote failure={form.failure} />}
    </form>
  )
}

function ModelFields({
  form,
  settings: { providers, endpoint, found },
}: {
  form: ReturnType<typeof useModelForm>
  settings: ModelSettings
}) {
  const provider = providers.find(({ id }) => id === form.provider)
  return (
    <div className="mt-4 grid gap-3 wide:grid-cols-2">
      <label className="text-sm">
        Provider
        <select
          className={FIELD}
          value={form.provider}
          onChange={event => form.setProvider(event.target.value)}
        >
          <option value={OWN}>An address of my own</option>
          {providers.map(({ id, title, hasKey: isSet }) => (
            <option key={id} value={id}>
              {title}
              {isSet ? ' (key is set)' : ''}
            </option>
          ))}
        </select>
      </label>
      {!provider && (
        <label className="text-sm">
          Address
          <input
            className={FIELD}
            placeholder="http://127.0.0.1:8000/v1"
            autoComplete="off"
            spellCheck={false}
            value={form.baseUrl}
            onChange={event => form.setBaseUrl(event.target.value)}
          />
        </label>
      )}
      <KeyField
        hasKey={provider ? provider.hasKey : endpoint.hasKey}
        value={form.apiKey}
        onValue={form.setApiKey}
      />
      <ModelField
        value={form.model}
        placeholder={provider ? `${provider.id}/…` : 'an id that the address knows'}
        offered={[...(provider?.models ?? []), ...(provider ? [] : found.map(({ name }) => name))]}
        onValue={form.setModel}
      />
    </div>
  )
}

function KeyField({
  hasKey,
  value,
  onValue,
}: {
  hasKey: boolean
  value: string
  onValue: (value: string) => void
}) {
  return (
    <label className="text-sm">
      Key
      <input
        className={FIELD}
        type="password"
        autoComplete="off"
        placeholder={hasKey ? 'A key is set; type to replace it' : 'None is set'}
        value={value}
        onChange={event => onValue(event.target.value)}
      />
    </label>
  )
}

function ModelField({
  value,
  placeholder,
  offered,
  onValue,
}: {
  value: string
  placeholder: string
  offered: readonly string[]
  onValue: (value: string) => void
}) {
  const list = useId()
  return (
    <label className="text-sm">
      Model
      <input
        className={FIELD}
        list={list}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={event => onValue(event.target.value)}
      />
      <datalist id={list}>
        {offered.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}

/** Servers that answer by themselves. */
function Found({
  found,
  onChoose,
}: {
  found: ModelSettings['found']
  onChoose: (name: string) => void
}) {
  return (
    <div className="mt-3 text-sm">
      <p className="text-muted">Found:</p>
      <ul className="mt-1 flex flex-wrap gap-2">
        {found.slice(0, 20).map(({ name, where }) => (
          <li key={name}>
            <Button type="button" size="small" onClick={() => onChoose(name)}>
              {visible(name)} <span className="text-muted">{visible(where)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function useModelForm(api: Api, settings: ModelSettings, onSet: () => void) {
  const [provider, setProvider] = useState(OWN)
  const [baseUrl, setBaseUrl] = useState(settings.endpoint.baseUrl ?? '')
  const [apiKey, setApiKey] = useState('')
  const [model, setModel] = useState(
    settings.current.isDemonstration ? '' : (settings.current.name ?? ''),
  )
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<string>()
  const [failure, setFailure] = useState<Failure>()

  async function keep(): Promise<boolean> {
    const isOwn = provider === OWN
    const kept = await api.call('setModel', {
      body: {
        ...(!isOwn && { provider }),
        ...(isOwn && baseUrl !== (settings.endpoint.baseUrl ?? '') && { baseUrl }),
        ...(apiKey !== '' && { apiKey }),
        model,
      },
    })
    setFailure(kept.ok ? undefined : kept.failure)
    if (kept.ok) setApiKey('')
    onSet()
    tellModelSet()
    return kept.ok
  }

  const set = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setSaid(undefined)
    if (await keep()) setSaid('Set. Your next message uses it.')
    setBusy(false)
  }
  const test = async () => {
    setBusy(true)
    setSaid(undefined)
    if (await keep()) {
      const tried = await api.call('tryModel', { body: {} })
      setFailure(tried.ok ? undefined : tried.failure)
      if (tried.ok) setSaid(toSentence(tried.value))
    }
    setBusy(false)
  }
  const fields = { provider, setProvider, baseUrl, setBaseUrl, apiKey, setApiKey, model, setModel }
  return { ...fields, busy, said, failure, set, test }
}

function toSentence({ answers, message, milliseconds }: TriedModel): string {
  return answers
    ? `${visible(message)} (${milliseconds} ms)`
    : `It does not answer. ${visible(message)}`
}
