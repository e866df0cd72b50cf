import { Exit, type Host } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answerData } from '../../output/output.ts'
import { candidatesFor } from './candidates.ts'
import { createNamedThings } from './named-things.ts'

/** Each asks the command itself what could come next, so that it never lags behind. */
const SCRIPTS: Readonly<Record<string, string>> = {
  // bash takes a colon for the end of a word; `compgen -W` would expand what a name holds
  bash: `_filewright() {
  local words=() word last=-1 glued= i found
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $last -ge 0 && ( $glued || $word == :* ) ]]; then words[last]+="$word"
    else words[++last]="$word"; fi
    [[ $word == *: ]] && glued=1 || glued=
  done
  local whole="\${words[last]}"
  local head="\${whole%"\${whole##*:}"}"
  COMPREPLY=()
  while IFS= read -r found; do COMPREPLY+=("\${found#"$head"}"); done \\
    < <(filewright completion words -- "\${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _filewright filewright`,
  zsh: `#compdef filewright
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_filewright() {
  local -a found
  found=("\${(@f)$(filewright completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found[1]" ]] && compadd -- $found || _files
}
compdef _filewright filewright`,
  fish: `function __filewright
  set -l found (filewright completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c filewright -f -a '(__filewright)'`,
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
