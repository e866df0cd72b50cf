import { toDocPath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { executedBy } from './executed-files.ts'

const isExecuted = (path: string) => executedBy(toDocPath(path as never)) !== undefined

test.each([
  '.git/config',
  '.git',
  '.GIT/Hooks/pre-commit',
  'vendor/lib/.git/modules/x/config',
  'bare/hooks/post-checkout',
  '.vscode/tasks.json',
  'packages/a/.vscode/settings.json',
  'team.code-workspace',
  '.idea/runConfigurations/all.xml',
  '.envrc',
  '.husky/pre-commit',
  '.yarn/releases/yarn-4.cjs',
  '.pnpmfile.cjs',
  '.cargo/config.toml',
  '.devcontainer/devcontainer.json',
  '.claude/settings.json',
  '.mcp.json',
  // as other tools look for them
  ...['lefthook.yaml', '.lefthook.toml', 'lefthook-local.json', '.lintstagedrc.yaml', '.huskyrc'],
  ...['lint-staged.config.mjs', '.commitlintrc.cjs', 'commitlint.config.ts', 'prek.toml'],
  ...['opencode.json', 'opencode.jsonc', '.opencode/plugin/a.ts', '.helix/languages.toml'],
  ...['.config/mise/config.toml', 'mise.local.toml', '.mise.production.toml', '.aider.conf.yml'],
  ...['CLAUDE.md', 'docs/AGENTS.md', 'GEMINI.md', '.cursorrules', '.cursor/rules/a.mdc'],
  ...[
    '.github/copilot-instructions.md',
    '.github/instructions/a.instructions.md',
    '.clinerules/a.md',
  ],
  ...[
    '.claude/commands/deploy.md',
    '.claude/skills/a/SKILL.md',
    'CLAUDE.local.md',
    '.windsurfrules',
  ],
  ...['eslint.config.js', '.eslintrc.cjs', '.rubocop.yml', 'Directory.Build.targets', '.project'],
  ...['rust-toolchain.toml', 'pnpm-workspace.yaml', 'tools/bazel', 'a/b/desktop.ini', 'x.lnk'],
  'home/.config/fish/conf.d/a.fish',
  // as some disks read it
  '.g\u200cit/config',
  '.git ./config',
  'GIT~1/config',
  '.git::$INDEX_ALLOCATION/config',
])('%j is executed unasked', path => expect(isExecuted(path)).toBe(true))

test.each([
  'package.json',
  'makefile',
  'src/hooks/use-state.ts',
  'src/hooks/index.js',
  'git/config',
  '.github/workflows/ci.yml',
  '.gitignore',
  '.vscode/readme.md',
  'model.pth',
  'src/startup/main.ts',
  'settings.json',
  'docs/.env.example',
  ...['claude.txt', 'my-claude.md', 'agents.xlsx', 'docs/mise-en-place.md', 'rules.md'],
  ...['.github/pull_request_template.md', 'lefthook/readme.md', 'husky.md', 'prettier.md'],
])('%j is a file like any other', path => expect(isExecuted(path)).toBe(false))
