import type {
  PermissionOption,
  PermissionOptionKind,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import type { AttachedEditor } from '../editor/editor.ts'

export type Permission = PermissionOptionKind | 'cancelled'

export interface PermissionQuestion {
  readonly sessionId: string
  readonly toolCall: ToolCallUpdate
  /** The words on the buttons, by what they mean. */
  readonly words: Partial<Readonly<Record<PermissionOptionKind, string>>>
  readonly signal: AbortSignal
}

/** Anything but one of the options that were offered is no yes. */
export async function askPermission(
  { client }: AttachedEditor,
  { sessionId, toolCall, words, signal }: PermissionQuestion,
): Promise<Permission> {
  const options = Object.entries(words).map(([kind, name]): PermissionOption => {
    return { optionId: kind, name, kind: kind as PermissionOptionKind }
  })
  const asked = client.request('session/request_permission', { sessionId, toolCall, options })
  const { outcome, optionId } = Object(
    Object(await Promise.race([asked, cancelled(signal)])).outcome,
  )
  if (outcome !== 'selected') return 'cancelled'
  const chosen = options.find(option => option.optionId === optionId)
  return chosen?.kind ?? 'cancelled'
}

function cancelled(signal: AbortSignal): Promise<{ outcome: { outcome: 'cancelled' } }> {
  return new Promise(resolve => {
    const end = () => resolve({ outcome: { outcome: 'cancelled' } })
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
  })
}
