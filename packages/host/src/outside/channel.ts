/** The way to one MCP server: whole messages out, whole messages in. What comes in is bounded by the channel. */
export interface OutsideChannel {
  /** Resolves when the message is on its way; rejects where the server is gone. */
  send(message: object, signal?: AbortSignal): Promise<void>
  /** Called once, before the first message is sent. */
  listen(listener: ChannelListener): void
  /** Ends the server, or the talk with it. Resolves when nothing of it is left. */
  close(): Promise<void>
}

export interface ChannelListener {
  onMessage(message: unknown, bytes: number): void
  /** It sent something that is no message: a line of a log, or what only keeps a connection alive. */
  onNoise(bytes: number): void
  /** It is over, for this reason: the end of a sentence that begins with the server's name. Called once. */
  onEnd(why: string): void
}
