import { type KeptSetting, keptSettings } from '@filewright/loop'

/** The product's own settings. */
export const MODEL = {
  name: 'model',
  variables: ['FILEWRIGHT_MODEL'],
  help: 'the model for runs: PROVIDER/ID, or an id alone for the base URL',
} as const satisfies KeptSetting

export const BASE_URL = {
  name: 'base-url',
  variables: ['FILEWRIGHT_BASE_URL'],
  help: 'an endpoint of your own, such as http://127.0.0.1:8000/v1',
} as const satisfies KeptSetting

export const API_KEY = {
  name: 'api-key',
  variables: ['FILEWRIGHT_API_KEY'],
  help: 'the key for the base URL',
  isSecret: true,
} as const satisfies KeptSetting

export const ENGINES = {
  name: 'engines',
  variables: ['FILEWRIGHT_ENGINES'],
  help: 'how many processes work on documents at once: 2 unless set, at most 16',
} as const satisfies KeptSetting

export const OFFICE = {
  name: 'office',
  variables: ['FILEWRIGHT_OFFICE'],
  help: 'where LibreOffice is: the path of its soffice; found by itself unless set, "none" uses none',
} as const satisfies KeptSetting

export const AGENT_PUBLISH = {
  name: 'agent-publish',
  variables: ['FILEWRIGHT_AGENT_PUBLISH'],
  help: 'what agents of other products may do over MCP: ask (a person says yes), auto or never; ask unless set',
} as const satisfies KeptSetting

/** What a person may set once, so that the environment need not say it: ours, then each provider's. */
export const SETTINGS: readonly KeptSetting[] = [
  MODEL,
  BASE_URL,
  API_KEY,
  ENGINES,
  OFFICE,
  AGENT_PUBLISH,
  ...keptSettings,
]

export function findSetting(name: string | undefined): KeptSetting | undefined {
  return SETTINGS.find(setting => setting.name === name)
}
