import { spawnSync } from 'node:child_process'

/** External checkers of the full tests: programs that judge our files, with the command that installs each. */
const tools = [
  {
    name: 'LibreOffice',
    programs: ['soffice', 'libreoffice'],
    given: ['--version'],
    debian: 'libreoffice-calc-nogui libreoffice-writer-nogui libreoffice-impress-nogui',
    brew: '--cask libreoffice',
  },
  {
    name: 'poppler',
    programs: ['pdftotext'],
    given: ['-v'],
    debian: 'poppler-utils',
    brew: 'poppler',
  },
  {
    name: 'openpyxl',
    programs: ['python3', '/usr/bin/python3'],
    given: ['-c', 'import openpyxl'],
    debian: 'python3-openpyxl',
    brew: 'python && pip3 install openpyxl',
  },
  { name: 'tmux', programs: ['tmux'], given: ['-V'], debian: 'tmux', brew: 'tmux' },
  { name: 'git', programs: ['git'], given: ['--version'], debian: 'git', brew: 'git' },
]

/** One sentence for each tool that does not run. */
export function missingTools() {
  return tools
    .filter(({ programs, given }) => !programs.some(program => runs(program, given)))
    .map(tool => `The full tests need ${tool.name}, which does not run here: ${installing(tool)}.`)
}

function runs(program, given) {
  return spawnSync(program, given, { stdio: 'ignore', timeout: 60_000 }).status === 0
}

function installing({ debian, brew }) {
  return process.platform === 'darwin'
    ? `brew install ${brew}`
    : `apt-get install -y --no-install-recommends ${debian}`
}
