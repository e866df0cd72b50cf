/** Requirements that no test proves yet, by the capability that brings them. `--update-gaps` keeps the list true. */
export const knownGaps: Record<string, string[]> = {
  decks: [
    'ADR-0010 §Reading Files read_file slide_index',
    'ADR-0010 §Office Operations pptx_operations',
    'ADR-0010 §Office Operations pptx set_slide_text index',
    'ADR-0010 §Office Operations pptx append_bullets index',
    'ADR-0010 §Office Operations pptx slide_index alias',
    'CONTRACT §4 get_file_info deck',
    'CONTRACT §4 read_file slide_index',
    'CONTRACT §4 set_slide_text fields',
    'CONTRACT §4 append_bullets fields',
    'CONTRACT §4 slide_index alias',
    'CONTRACT §4 new slides look alike',
    'CONTRACT §6 slides inserted before',
    'CONTRACT §6 review slides',
    'CONTRACT §6 moved deck rebased',
  ],
  'spreadsheets 2': [
    'CONTRACT §6 rows inserted before',
  ],
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
