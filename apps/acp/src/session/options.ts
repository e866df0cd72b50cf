import type {
  SessionConfigOption,
  SessionConfigSelectOption,
  SessionModeState,
} from '@agentclientprotocol/sdk'
import type { ModelSettings } from '@filewright/protocol'
import type { AttachedEditor } from '../editor/editor.ts'
import { MODES, type Mode, type OpenSession } from '../editor/open-session.ts'

const MODE_WORDS: Readonly<Record<Mode, { readonly name: string; readonly description: string }>> =
  {
    workshop: {
      name: 'Workshop',
      description: 'Any file, office files too. Edits go to a draft, and you publish it.',
    },
    workspace: { name: 'Workspace', description: 'Source code. You approve each change.' },
    plan: { name: 'Plan', description: 'Reads and plans, and changes nothing.' },
  }

const AS_SET = 'default'
const EFFORTS = ['low', 'medium', 'high'] as const

export function modeState({ mode }: OpenSession): SessionModeState {
  return {
    currentModeId: mode,
    availableModes: MODES.map(id => ({ id, ...MODE_WORDS[id] })),
  }
}

/** What a person can choose for a session. */
export async function configOptions(
  editor: AttachedEditor,
  session: OpenSession,
): Promise<SessionConfigOption[]> {
  const listed = await editor.connection.call('models')
  const models = listed.ok ? listed.value : undefined
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: session.mode,
      options: MODES.map(value => ({ value, ...MODE_WORDS[value] })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: session.model ?? AS_SET,
      options: modelChoices(editor, session, models),
    },
    {
      type: 'select',
      id: 'effort',
      name: 'Effort',
      category: 'thought_level',
      currentValue: session.effort ?? AS_SET,
      options: [
        { value: AS_SET, name: 'As the model does by itself' },
        ...withCurrent(session.effort, EFFORTS).map(value => ({ value, name: value })),
      ],
    },
  ]
}

function modelChoices(
  { config }: AttachedEditor,
  { model }: OpenSession,
  settings: ModelSettings | undefined,
): SessionConfigSelectOption[] {
  const set = config.model ?? settings?.current.name
  const offered = [
    ...(settings?.found ?? []).map(({ name }) => name),
    ...(settings?.providers ?? []).filter(({ hasKey }) => hasKey).flatMap(each => each.models),
  ]
  return [
    { value: AS_SET, name: set === undefined ? 'As set' : `As set: ${set}` },
    ...withCurrent(model, offered).map(value => ({ value, name: value })),
  ]
}

function withCurrent(current: string | undefined, known: readonly string[]): readonly string[] {
  return [...new Set([...known, ...(current === undefined ? [] : [current])])]
}

/** False for an option or a value that does not exist. */
export function choose(session: OpenSession, option: string, value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false
  const chosen = value === AS_SET ? undefined : value
  switch (option) {
    case 'mode':
      if (!isMode(value)) return false
      session.mode = value
      return true
    case 'model':
      session.model = chosen
      return true
    case 'effort':
      session.effort = chosen
      return true
    default:
      return false
  }
}

export function isMode(value: string): value is Mode {
  return (MODES as readonly string[]).includes(value)
}
