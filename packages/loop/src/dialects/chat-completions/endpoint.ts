/** A server that speaks chat completions. */
export interface ChatEndpoint {
  /** Up to and with its version: `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string
}
