import { defineCommand, option, parsed, withPreset } from '@filewright/host'
import { fail, ok, type Result } from '@filewright/protocol'
import { large } from '../options.ts'

export default defineCommand({
  name: 'serve',
  showsProgress: true,
  summary: 'the server and the web app, on loopback',
  options: {
    cwd: option(
      '-C, --cwd <dirs...>',
      'folders to offer (default: this one; with FILEWRIGHT_DATABASE, none)',
    ),
    port: parsed('--port <n>', 'default: 4680 or the next free one', toPort),
    host: withPreset(option('--host <host>', 'address to listen on'), '127.0.0.1'),
    allowOrigin: option(
      '--allow-origin <origins...>',
      'pages of these origins may use the API, such as https://app.example',
    ),
    allowLarge: large,
  },
  run: async (given, host) => (await import('./serve.ts')).serve(given, host),
})

function toPort(text: string): Result<number> {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return ok(Number(text))
  return fail('INVALID_ARGUMENT', 'A port is a number from 0 to 65535.')
}
