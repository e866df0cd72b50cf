import type { ClientCapabilities, InputRequiredResult } from '@modelcontextprotocol/server'
import type { ConfirmForm, Deed } from './deed.ts'

/** How a host answered a form. */
export interface FormReply {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

/** What a host offers to ask its person with, in the era that it speaks; none of it, where it offers nothing. */
export interface HostForm {
  /** Since 2026-07-28: the form is the answer, and the host calls again with what the person typed. */
  readonly later?: LaterForm
  /** Before: the host is asked while its call waits. */
  ask?(form: ConfirmForm, signal: AbortSignal): Promise<FormReply>
}

export interface LaterForm {
  /** The reply that this call brought to the form of the same deed; undefined for a first call. */
  replyTo(deed: Deed): FormReply | undefined
  toAnswer(deed: Deed, form: ConfirmForm): Promise<InputRequiredResult>
}

/** A host that can only open addresses has none. */
export function hasForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {}
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  )
}
