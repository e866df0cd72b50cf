/** The clients that `filewright mcp install` knows; each line's configuration is in `configurations.ts`. */
export const CLIENTS = [
  'claude-code',
  'codex',
  'opencode',
  'zed',
  'cursor',
  'vscode',
  'claude-desktop',
  'gemini',
  'jetbrains',
] as const

export type ClientName = (typeof CLIENTS)[number]
