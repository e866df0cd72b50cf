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
])('%j is a file like any other', path => expect(isExecuted(path)).toBe(false))
