/** Requirements that no test proves yet, by the capability that brings them. `--update-gaps` keeps the list true. */
export const knownGaps: Record<string, string[]> = {
  'spreadsheets 2': ['CONTRACT §6 rows inserted before'],
  'spreadsheets 3': [
    'CONTRACT §4 workshop toolset',
    'CONTRACT §4 file_operations export',
    'CONTRACT §4 render_file',
  ],
  mcp: [
    'CONTRACT §4 toolset binds mcp',
    'CONTRACT §9 mcp',
    'CONTRACT §9 mcp draft tools',
    'CONTRACT §9 mcp install',
    'CONTRACT §9 mcp doctor',
  ],
  terminal: [
    'CONTRACT §9 interactive',
    'CONTRACT §9 review --stat',
    'CONTRACT §9 completion',
    'CONTRACT §9 --plain',
  ],
  'editors and products': [
    'CONTRACT §2 active by editor',
    'CONTRACT §9 mcp add',
    'CONTRACT §9 acp',
  ],
  'several instances': ['CONTRACT §9 migrate'],
}
