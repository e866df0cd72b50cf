import { argument, defineCommand, SETTINGS } from '@filewright/host'

export default defineCommand({
  name: 'config',
  summary: 'settings that outlive the environment; only you can read the keys',
  details: settingsHelp,
  arguments: {
    action: argument(
      '[action]',
      'list, set, unset, or rotate: encrypt keys with FILEWRIGHT_SECRET',
    ),
    name: argument('[name]', SETTINGS.map(({ name }) => name).join(', ')),
    value: argument('[value]', 'for set'),
  },
  run: async given => (await import('./config.ts')).config(given),
})

/** Includes the settings of every provider. */
function settingsHelp(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length))
  const lines = SETTINGS.map(
    ({ name, help, variables }) => `  ${name.padEnd(width)}  ${help} [${variables.join(', ')}]`,
  )
  return ['Settings (a variable in brackets overrides its setting):', ...lines].join('\n')
}
