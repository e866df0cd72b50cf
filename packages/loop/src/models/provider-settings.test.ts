import { expect, test } from 'vitest'
import {
  keptSettings,
  mergeValues,
  providersSetUp,
  readProviderValues,
} from './provider-settings.ts'
import { findProvider, providers, toTable } from './provider-table.ts'

test('a variable goes before a saved setting, the first of several first, and an empty one is not set', () => {
  const saved = { 'google-key': 'saved' }
  const key = (environment: Record<string, string>) =>
    readProviderValues(environment, saved).google?.key
  expect(key({})).toBe('saved')
  expect(key({ GEMINI_API_KEY: '' })).toBe('saved')
  expect(key({ GOOGLE_GENERATIVE_AI_API_KEY: 'second' })).toBe('second')
  expect(key({ GOOGLE_GENERATIVE_AI_API_KEY: 'second', GEMINI_API_KEY: 'first' })).toBe('first')
})

test('a provider is set up once it has all that it needs', () => {
  const values = readProviderValues({ OPENAI_BASE_URL: 'http://h/v1', OLLAMA_HOST: 'box' }, {})
  expect(values).toEqual({ openai: { address: 'http://h/v1' }, ollama: { host: 'box' } })
  expect(providersSetUp(values)).toEqual([])
  expect(providersSetUp({ ...values, openai: { key: 'k' } })).toEqual(['openai'])
})

test('what one process was started with goes before the settings of another, field by field', () => {
  const own = { openai: { key: 'own', address: 'http://own/v1' }, google: { key: 'own' } }
  expect(mergeValues({ openai: { key: 'first' } }, own)).toEqual({
    openai: { key: 'first', address: 'http://own/v1' },
    google: { key: 'own' },
  })
})

test('no two settings share a name, and every setting says what it is for', () => {
  const names = keptSettings.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { needs, takes } of providers)
    for (const setting of Object.values({ ...needs, ...takes }))
      expect(setting?.help).toMatch(/^\S.*[^.]$/)
})

test('a line under another name than its provider is a bug', () => {
  const ollama = findProvider('ollama')!
  expect(() => toTable({ llama: ollama })).toThrow('the id "ollama"')
})
