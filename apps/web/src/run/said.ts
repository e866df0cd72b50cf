/** Words from elsewhere on the page, for the message that is being written. */
export interface Said {
  readonly words: string
  /** They are the whole message, and go at once. */
  readonly isSent: boolean
}

export type Say = (words: string, isSent?: boolean) => void
