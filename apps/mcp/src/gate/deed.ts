import { createHmac } from 'node:crypto'
import type { AskedDeed } from '@filewright/protocol'

/** One act on one thing as it stands now, which a person allows. */
export interface Deed {
  /** `publish_draft` */
  readonly tool: string
  /** What the yes is for, its state included: `drf_1 at revision 4`. */
  readonly subject: string
  /** "Publish the draft drf_1 at revision 4" */
  readonly title: string
  /** What would happen, in a few lines. */
  readonly details: string
  /** The button: "Publish". */
  readonly yes: string
  /** The draft that it is about, as the person sees it. */
  readonly draft?: { readonly id: string; readonly revision: number }
  /** A host that shows the review in a frame has its answer there. */
  readonly isInReview?: boolean
}

/** A deed that waits for its yes in the log of the session. */
export interface DurableDeed extends Deed {
  readonly act: AskedDeed
}

/**
 * What a person types to say yes: it stands for the act, the thing and its state, and is known to nobody before the form
 * is shown, because its key stays in this process.
 */
function codeOf({ tool, subject }: Deed, key: Uint8Array): string {
  return createHmac('sha256', key).update(`${tool}\n${subject}`).digest('hex').slice(0, 6)
}

/** What a host shows: one required field without a preset. */
export interface ConfirmForm {
  readonly message: string
  readonly requestedSchema: {
    readonly type: 'object'
    readonly properties: {
      readonly confirm: {
        readonly type: 'string'
        readonly title: string
        readonly description: string
        readonly maxLength: number
      }
    }
    readonly required: ['confirm']
  }
}

export function toForm(deed: Deed, key: Uint8Array, link: string | undefined): ConfirmForm {
  const code = codeOf(deed, key)
  const where = link ? `\nThe whole review: ${link}` : ''
  return {
    message: `${deed.title}?\n${deed.details}${where}\nTo say yes, type ${code}. Anything else writes nothing.`,
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: {
          type: 'string',
          title: deed.title,
          description: `Type ${code} to say yes to: ${deed.title}`,
          maxLength: 40,
        },
      },
      required: ['confirm'],
    },
  }
}

/** A bare accept, an empty field or a word that a host fills in is no yes. */
export function isYes(
  deed: Deed,
  key: Uint8Array,
  content: Readonly<Record<string, unknown>> | undefined,
): boolean {
  const typed = content?.confirm
  return typeof typed === 'string' && typed.trim().toLowerCase() === codeOf(deed, key)
}
