import { Exit, type Host } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answerData } from '../../output/output.ts'
import { candidatesFor } from './candidates.ts'
import { createNamedThings } from './named-things.ts'

/** Each asks the command itself what could come next, so that it never lags behind. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_filewright() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(filewright completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _filewright filewright`,
  zsh: `#compdef filewright
_filewright() {
  local -a found
  found=("\${(@f)$(filewright completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found[1]" ]] && compadd -- $found || _files
}
compdef _filewright filewright`,
  fish: `complete -c filewright -a '(filewright completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
}

export async function completion(
  { shell, words }: { readonly shell: string; readonly words: readonly string[] },
  host: Host,
): Promise<void> {
  if (shell === 'words') {
    const found = await candidatesFor(host.commands, words, createNamedThings(host))
    if (found.length > 0) answerData(found.join('\n'))
    return
  }
  const script = SCRIPTS[shell]
  if (script === undefined)
    throw new Exit(
      EXIT_CODES.invalid,
      `there are completions for ${Object.keys(SCRIPTS).join(', ')}, not for ${shell}`,
    )
  answerData(script)
}
