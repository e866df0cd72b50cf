import type { Instead } from '@filewright/protocol'

/** What does instead what models ask for with a field that an operation does not have. */
export const INSTEAD: readonly Instead[] = [
  {
    names: ['append', 'insert', 'mode', 'shift', 'at', 'after', 'before'],
    does: 'set_range writes over the cells from start on; for new rows start below the used range.',
  },
  {
    names: [
      'overwrite',
      'onlyIfEmpty',
      'ifEmpty',
      'ifMissing',
      'ifExists',
      'skipExisting',
      'force',
    ],
    does: 'An operation acts on what the cells or the sheet hold now; read them first with read_file.',
  },
  {
    names: ['range', 'cell', 'end'],
    does: 'set_range fills as many rows and columns from start on as values has; clear_range clears a part of a sheet.',
  },
  {
    names: [
      ...[
        'format',
        'formats',
        'clearFormats',
        'numberFormat',
        'style',
        'styles',
        'font',
        'bold',
        'italic',
        'color',
      ],
      ...['fill', 'background', 'border', 'align', 'alignment'],
    ],
    does: 'set_style sets the look of cells and clear_style takes it away; a cell that is written keeps its own.',
  },
  {
    names: ['comment', 'note', 'hyperlink', 'link', 'validation'],
    does: 'Operations of their own do that: set_comment, set_hyperlink, data_validation.',
  },
  {
    names: ['isRegex', 'regexp', 'flags', 'nth', 'count', 'limit'],
    does: 'find_replace replaces text at every place; sheet and range narrow it, match_case: false, whole_word: true, whole_cell: true and regex (in place of search) change what matches.',
  },
]
