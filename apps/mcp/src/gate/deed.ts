import { createHash } from 'node:crypto'

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
}

/** What a person types to say yes: it names the act, the thing and its state, and a host cannot guess it from the form. */
export function codeOf({ tool, subject }: Pick<Deed, 'tool' | 'subject'>): string {
  return createHash('sha256').update(`${tool}\n${subject}`).digest('hex').slice(0, 6)
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

export function toForm(deed: Deed, link: string | undefined): ConfirmForm {
  const code = codeOf(deed)
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
export function isYes(deed: Deed, content: Readonly<Record<string, unknown>> | undefined): boolean {
  const typed = content?.confirm
  return typeof typed === 'string' && typed.trim().toLowerCase() === codeOf(deed)
}
