import { type DocPath, toDocPath } from '@filewright/protocol'
import type { Workspace } from './workspace.ts'

/**
 * CONTRACT §6: files that other programs execute unasked, because somebody opens the folder, enters it, commits, or
 * starts a tool in it. What runs only when a person runs it by name (`package.json`, a Makefile, source code) is not here,
 * nor what a server runs after a push.
 */
interface Executed {
  /** `name` at any depth; `a/b` these last segments; `a/` everything in a folder of that name; `*.end` an ending. */
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
      '.husky/ .githooks/ git-hooks/ .husky.js .lefthook.yml lefthook.yml .lefthook/ .pre-commit-config.yaml .pre-commit-hooks.yaml .overcommit.yml .simple-git-hooks.json .simple-git-hooks.cjs .lintstagedrc .lintstagedrc.json .lintstagedrc.js .lintstagedrc.mjs',
    why: 'git runs what it names as soon as anyone uses git here',
  },
  {
    files:
      'hooks/applypatch-msg hooks/pre-applypatch hooks/post-applypatch hooks/pre-commit hooks/prepare-commit-msg hooks/commit-msg hooks/post-commit hooks/pre-merge-commit hooks/pre-rebase hooks/post-checkout hooks/post-merge hooks/pre-push hooks/pre-receive hooks/update hooks/post-receive hooks/post-update hooks/reference-transaction hooks/push-to-checkout hooks/pre-auto-gc hooks/post-rewrite hooks/sendemail-validate hooks/fsmonitor-watchman',
    why: 'git runs it as a hook',
  },
  {
    files: '.envrc .autoenv .mise.toml mise.toml .mise/config.toml .config/mise.toml .rtx.toml',
    why: 'the shell runs it when somebody enters the folder',
  },
  {
    files:
      '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .xinitrc .xprofile .xsession .xsessionrc .config/fish/ profile.ps1 microsoft.powershell_profile.ps1 .ssh/rc .ssh/config',
    why: 'a shell or a login runs it',
  },
  {
    files:
      '.config/autostart/ .config/systemd/ .local/share/systemd/ launchagents/ launchdaemons/ autorun.inf .config/environment.d/',
    why: 'the system runs it at login or when the disk is opened',
  },
  {
    files:
      '.vscode/tasks.json .vscode/settings.json .vscode/launch.json .vscode/mcp.json *.code-workspace .idea/ .run/ .fleet/ .zed/ .nova/ .theia/ .vs/',
    why: 'an editor may run the programs that it names when the folder is opened or a file is saved',
  },
  {
    files:
      '.exrc .vimrc _vimrc .gvimrc .nvimrc .nvim.lua .lvimrc .vim/ .dir-locals.el .dir-locals-2.el .emacs .emacs.d/ .config/nvim/',
    why: 'the editor runs it when it opens a file in this folder',
  },
  {
    files:
      '.mcp.json mcp.json .cursor/mcp.json .cursor/hooks.json .claude/settings.json .claude/settings.local.json .claude/hooks/ .codex/config.toml .gemini/settings.json .kiro/settings/mcp.json .amazonq/mcp.json .continue/config.json .aider.conf.yml .windsurf/hooks.json',
    why: 'another agent starts the programs that it names',
  },
  {
    files: '.devcontainer/ .devcontainer.json .gitpod.yml .gitpod.dockerfile',
    why: 'the container runs its commands when the folder is opened',
  },
  {
    files:
      '.npmrc .yarnrc .yarnrc.yml .yarn/releases/ .yarn/plugins/ .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js .pnp.cjs .pnp.js .pnp.loader.mjs bunfig.toml',
    why: 'the package manager loads it, or the program that it names, each time it is used here',
  },
  {
    files:
      '.cargo/config .cargo/config.toml .bundle/config .gemrc .mvn/ gradle/wrapper/ init.gradle init.gradle.kts .gradle/init.d/ .bazelrc .bazeliskrc .buckconfig',
    why: 'the build tool loads it, or the program that it names, each time it is used here',
  },
  {
    files:
      'sitecustomize.py usercustomize.py .pythonrc .pythonrc.py .rprofile .irbrc .pryrc .gdbinit .lldbinit .psqlrc .sqliterc .guile .ghci .iex.exs .pdbrc .ipython/',
    why: 'the interpreter or debugger runs it when it starts in this folder',
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
for (const { files, why } of EXECUTED)
  for (const file of files.split(' '))
    if (file.endsWith('/')) FOLDERS.set(file.slice(0, -1), why)
    else if (file.startsWith('*')) ENDINGS.set(file.slice(1), why)
    else EXACT.set(file, why)
