import { argument, defineCommand, naming } from '@filewright/host'

export default defineCommand({
  name: 'completion',
  summary: 'completions for your shell: bash, zsh or fish',
  arguments: {
    shell: naming('shells', argument('<shell>', 'bash, zsh or fish')),
    words: argument('[words...]', 'what was typed so far, for the script'),
  },
  details: () =>
    'bash: eval "$(filewright completion bash)" in ~/.bashrc\nzsh:  eval "$(filewright completion zsh)" in ~/.zshrc\nfish: filewright completion fish | source in ~/.config/fish/config.fish',
  run: async (given, host) => (await import('./completion.ts')).completion(given, host),
})
