import { type DocPath, toDocPath } from '@filewright/protocol'
import type { Workspace } from './workspace.ts'

/**
 * CONTRACT §6: files that other programs execute unasked, because somebody opens the folder, enters it, commits, or
 * starts a tool in it. What runs only when a person runs it by name (`package.json`, a Makefile, source code) is not here,
 * nor what a server runs after a push.
 */
interface Executed {
  /**
   * `name` at any depth, with any ending where it ends in `.*`; `a/b` these last segments; `a/` everything in a folder of
   * that name; `*.end` an ending.
   */
  readonly files: string
  /** Completes "other programs execute it: …". */
  readonly why: string
}

const EXECUTED: readonly Executed[] = [
  {
    files: '.git .git/ .gitmodules .gitconfig .config/git/',
    why: 'git runs the hooks, filters and programs that it names as soon as anyone uses git here',
  },
  {
    files: '.hg/hgrc .hgrc .jj/repo/config.toml .svn/',
    why: 'the version control runs the hooks and programs that it names',
  },
  {
    files:
      '.husky/ .githooks/ git-hooks/ .husky.* .huskyrc .huskyrc.* husky.config.* .lefthook.* lefthook.* .lefthook-local.* lefthook-local.* .lefthook/ .pre-commit-config.* .pre-commit-hooks.* prek.toml .overcommit.yml .simple-git-hooks.* simple-git-hooks.* .lintstagedrc .lintstagedrc.* lint-staged.config.* .commitlintrc .commitlintrc.* commitlint.config.* .czrc .cz.* .cz-config.* captainhook.json grumphp.* .hooks.toml cog.toml',
    why: 'git runs what it names as soon as anyone uses git here',
  },
  {
    files:
      'hooks/applypatch-msg hooks/pre-applypatch hooks/post-applypatch hooks/pre-commit hooks/prepare-commit-msg hooks/commit-msg hooks/post-commit hooks/pre-merge-commit hooks/pre-rebase hooks/post-checkout hooks/post-merge hooks/pre-push hooks/pre-receive hooks/update hooks/post-receive hooks/post-update hooks/reference-transaction hooks/push-to-checkout hooks/pre-auto-gc hooks/post-rewrite hooks/sendemail-validate hooks/fsmonitor-watchman',
    why: 'git runs it as a hook',
  },
  {
    files:
      '.envrc .autoenv .autoenv.zsh .autoenv_leave.zsh .env.leave .mise.* mise.* mise/config.toml .mise/ .config/mise/ .config/mise.toml .config/mise.local.toml .rtx.toml .direnv/ .config/direnv/ .direnvrc .flox/ devenv.nix devenv.yaml .config/starship.toml',
    why: 'the shell runs it when somebody enters the folder',
  },
  {
    files:
      '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .screenrc .tmux.conf .xinitrc .xprofile .xsession .xsessionrc .config/fish/ profile.ps1 microsoft.powershell_profile.ps1 .ssh/rc .ssh/config',
    why: 'a shell or a login runs it',
  },
  {
    files:
      '.config/autostart/ .config/systemd/ .local/share/systemd/ launchagents/ launchdaemons/ autorun.inf desktop.ini .config/environment.d/ *.lnk *.scf *.library-ms *.desktop',
    why: 'the system runs it at login or when the disk is opened',
  },
  {
    files:
      '.vscode/tasks.json .vscode/settings.json .vscode/launch.json .vscode/mcp.json *.code-workspace .idea/ .run/ .fleet/ .zed/ .helix/ .nova/ .theia/ .vs/ .lapce/ .kakrc .atom/ .settings/ .project .vimspector.json .luarc.json .neoconf.json *.sublime-*',
    why: 'an editor may run the programs that it names when the folder is opened or a file is saved',
  },
  {
    files:
      '.exrc .vimrc _vimrc .gvimrc .nvimrc .nvim.lua .lazy.lua .lvimrc .vim/ .nvim/ .nanorc .dir-locals.el .dir-locals-2.el .emacs .emacs.d/ .config/nvim/',
    why: 'the editor runs it when it opens a file in this folder',
  },
  {
    files:
      '.mcp.json mcp.json .cursor/mcp.json .cursor/hooks.json .cursor/environment.json .claude/ .claude.json .codex/ .gemini/ .qwen/ .kiro/ .amazonq/ .continue/ .windsurf/ .roo/ .cline/ .clinerules/ .aider.* .aider.conf.* .opencode/ opencode.json opencode.jsonc .crush.json crush.json .goose/ .trae/ .junie/ .augment/ .factory/ .agents/ .vibe/',
    why: 'another agent starts the programs that it names',
  },
  {
    files:
      'agents.md agent.md agents.override.md agents.local.md claude.md claude.local.md gemini.md qwen.md codex.md crush.md crush.local.md warp.md replit.md jules.md filewright.md skill.md .cursorrules .cursor/rules/ .cursor/commands/ .windsurfrules .clinerules .roorules .goosehints .rules .aiderrules copilot-instructions.md .github/instructions/ .github/prompts/ .github/chatmodes/ .github/agents/',
    why: 'other agents do what it says as soon as they work in this folder',
  },
  {
    files:
      '.devcontainer/ .devcontainer.json .gitpod.yml .gitpod.dockerfile .idx/ .codesandbox/ .stackblitzrc .replit replit.nix devfile.yaml .devfile.yaml',
    why: 'the container runs its commands when the folder is opened',
  },
  {
    files:
      '.npmrc .yarnrc .yarnrc.yml .yarn/releases/ .yarn/plugins/ .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js .pnp.cjs .pnp.js .pnp.loader.mjs .pnpm/ pnpm-workspace.yaml bunfig.toml .bunfig.toml rust-toolchain rust-toolchain.toml pip.conf',
    why: 'the package manager loads it, or the program that it names, each time it is used here',
  },
  {
    files:
      '.cargo/config .cargo/config.toml .bundle/config .gemrc .mvn/ gradle/wrapper/ init.gradle init.gradle.kts .gradle/init.d/ .bazelrc .bazeliskrc tools/bazel .buckconfig .buckconfig.local .jvmopts .sbtopts .gradle/gradle.properties gradle.properties directory.build.props directory.build.targets directory.build.rsp',
    why: 'the build tool loads it, or the program that it names, each time it is used here',
  },
  {
    files:
      'sitecustomize.py usercustomize.py .pythonrc .pythonrc.py .rprofile .irbrc .pryrc .gdbinit .lldbinit .psqlrc .sqliterc .guile .ghci .iex.exs .pdbrc .ipython/ jupyter_server_config.* jupyter_notebook_config.* startup.jl .ocamlinit .utoprc .sbclrc .clisprc .racketrc .swiplrc .erlang .octaverc .perldb .phpdbginit .gnuplot .ackrc .ripgreprc .lessfilter .mailcap',
    why: 'the interpreter or debugger runs it when it starts in this folder',
  },
  {
    files:
      '.eslintrc .eslintrc.* eslint.config.* .prettierrc.js .prettierrc.cjs .prettierrc.mjs .prettierrc.ts prettier.config.* .stylelintrc.* stylelint.config.* .rubocop.yml .pylintrc pylintrc .solargraph.yml .credo.exs .formatter.exs .luacheckrc .ansible-lint',
    why: 'an editor runs the code that it names, to check a file that is opened',
  },
]

/** Why a file at this path is executed unasked; undefined when it is not. */
export function executedBy(docPath: DocPath): string | undefined {
  const segments = docPath.split('/').map(asSystemsReadIt)
  const name = segments.at(-1)!
  const ending = name.slice(name.lastIndexOf('.'))
  for (let from = 0; from < segments.length; from++) {
    const exact = EXACT.get(segments.slice(from).join('/'))
    if (exact) return exact
  }
  for (let from = 0; from < segments.length - 1; from++)
    for (const to of [from + 1, from + 2, from + 3])
      if (to < segments.length) {
        const folder = FOLDERS.get(segments.slice(from, to).join('/'))
        if (folder) return folder
      }
  for (let dot = name.indexOf('.', 1); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const stem = STEMS.get(name.slice(0, dot))
    if (stem) return stem
  }
  return name.includes('.') ? ENDINGS.get(ending) : undefined
}

/** The same for the file that a link leads to. */
export async function whyExecuted(
  workspace: Pick<Workspace, 'locate'>,
  docPath: DocPath,
): Promise<string | undefined> {
  const own = executedBy(docPath)
  if (own) return own
  const place = await workspace.locate(docPath)
  return place.ok ? executedBy(toDocPath(place.value.realPath)) : undefined
}

/** Which name a disk may take it for: some drop characters nobody sees, final dots and spaces, or shorten the name. */
function asSystemsReadIt(segment: string): string {
  const seen = segment
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
  return SHORT_NAMES.get(seen) ?? seen
}

const SHORT_NAMES = new Map([
  ['git~1', '.git'],
  ['gitmod~1', '.gitmodules'],
  ['vscode~1', '.vscode'],
  ['husky~1', '.husky'],
])

const EXACT = new Map<string, string>()
const FOLDERS = new Map<string, string>()
const ENDINGS = new Map<string, string>()
/** Names without what follows one of their dots. */
const STEMS = new Map<string, string>()
for (const { files, why } of EXECUTED)
  for (const file of files.split(' '))
    if (file.endsWith('.*') && !file.includes('/')) STEMS.set(file.slice(0, -2), why)
    else if (file.endsWith('/')) FOLDERS.set(file.slice(0, -1), why)
    else if (file.startsWith('*')) ENDINGS.set(file.slice(1), why)
    else EXACT.set(file, why)
