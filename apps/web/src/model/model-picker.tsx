import { visible } from '@filewright/protocol'
import { useCallback, useEffect } from 'react'
import type { Api } from '../api.ts'
import { useAsked } from '../use-polled.ts'
import { onModelSet } from './model-news.ts'

/** The model in use, always in sight; another one for the next messages. */
export function ModelPicker({
  api,
  pulse,
  model,
  onModel,
}: {
  api: Api
  pulse: number
  /** Empty: the one that is set. */
  model: string
  onModel: (model: string) => void
}) {
  const ask = useCallback(() => api.call('models'), [api])
  const { value, reload } = useAsked(ask, pulse)
  useEffect(() => onModelSet(reload), [reload])
  if (!value) return null
  const usual = value.current.name ?? 'none'
  const others = [
    ...value.found.map(({ name }) => name),
    ...value.providers.flatMap(({ hasKey, models }) => (hasKey ? models : [])),
  ].filter(name => name !== usual)
  return (
    <label>
      Model{' '}
      <select
        className="max-w-files rounded-sm border border-line bg-card px-1 py-0.5 text-ink"
        value={model}
        onChange={event => onModel(event.target.value)}
      >
        <option value="">{visible(usual)}</option>
        {others.slice(0, 100).map(name => (
          <option key={name} value={name}>
            {visible(name)}
          </option>
        ))}
      </select>
    </label>
  )
}
