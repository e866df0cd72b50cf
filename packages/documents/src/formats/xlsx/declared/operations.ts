import { lookUp } from '@filewright/protocol'
import type { ArgsOf } from '../../../operation-arguments.ts'
import type { OperationDeclaration, OperationTable } from '../../../operation-table.ts'
import { ADVICE, lacksOtherWorkbook, lacksSource } from './advice.ts'
import { DESCRIBED } from './described.ts'
import { FIELDS } from './fields.ts'
import { INSTEAD } from './instead.ts'
import { LOOK_OPERATIONS } from './looks.ts'
import {
  meantAppend,
  meantLines,
  meantName,
  meantNewName,
  meantReplacement,
  meantSetCells,
  meantSetRange,
  meantSizes,
  meantSteps,
  opOf,
} from './meant.ts'
import { meantRange } from './meant-places.ts'
import { OBJECT_OPERATIONS } from './objects.ts'

/** The names of ADR-0010 and this format's additions, in the order shown to a model. */
export const OPERATIONS = {
  ensure_sheet: {
    takes: ['sheet'],
    understands: ['name', 'position', 'index'],
    does: 'creates a sheet when it is missing',
    synonyms: [
      ...['add_sheet', 'create_sheet', 'new_sheet', 'insert_sheet'],
      ...['add_worksheet', 'create_worksheet'],
    ],
    meant: meantName,
  },
  set_cells: {
    takes: ['sheet', 'cells: [{cell, value}]'],
    understands: ['formulas'],
    does: 'writes single cells',
    synonyms: [
      ...['set_cell', 'write_cell', 'write_cells', 'update_cell', 'update_cells'],
      ...['set_value', 'set_formula'],
    ],
    meant: meantSetCells,
  },
  set_range: {
    takes: ['sheet', 'start', 'values'],
    understands: ['formulas'],
    does: 'writes a block of rows',
    synonyms: ['write_range', 'update_range', 'set_values', 'write_values'],
    meant: meantSetRange,
  },
  delete_sheet: {
    takes: ['sheet'],
    does: 'deletes a sheet',
    synonyms: ['remove_sheet'],
    meant: meantName,
  },
  rename_sheet: {
    takes: ['sheet', 'new_name'],
    understands: ['name', 'to'],
    does: 'renames a sheet and updates formulas that name it',
    synonyms: ['rename', 'rename_worksheet'],
    meant: meantNewName,
  },
  move_sheet: {
    takes: ['sheet', 'index'],
    understands: ['position'],
    does: 'moves a sheet to another position',
  },
  copy_sheet: {
    takes: ['sheet', 'new_name'],
    understands: ['name', 'to', 'position', 'index'],
    does: 'copies a sheet within the workbook',
    synonyms: ['duplicate_sheet'],
    meant: meantNewName,
    lacks: lacksOtherWorkbook,
  },
  clear_range: {
    takes: ['sheet', 'range'],
    does: 'clears cells and keeps their formats',
    synonyms: ['clear', 'clear_cells', 'delete_range'],
    meant: meantRange,
  },
  merge_cells: {
    takes: ['sheet', 'range'],
    does: 'merges a range whose other cells are empty',
    synonyms: ['merge', 'merge_range'],
    meant: meantRange,
  },
  unmerge_cells: {
    takes: ['sheet', 'range'],
    does: 'unmerges cells',
    synonyms: ['unmerge', 'unmerge_range'],
    meant: meantRange,
  },
  hide: {
    takes: ['sheet', 'rows?', 'columns?'],
    does: 'hides a sheet, or rows or columns of it',
    synonyms: ['hide_sheet', 'hide_rows', 'hide_columns'],
    meant: meantLines,
  },
  show: {
    takes: ['sheet', 'rows?', 'columns?'],
    does: 'shows a sheet, or rows or columns of it',
    synonyms: ['unhide', 'show_sheet', 'show_rows', 'show_columns', 'unhide_sheet'],
    meant: meantLines,
  },
  set_column_widths: {
    takes: ['sheet', 'widths: {"A": 12}'],
    does: 'sets the widths of columns',
    synonyms: ['set_column_width', 'column_width'],
    meant: meantSizes('widths', ['column', 'columns'], 'width'),
  },
  set_row_heights: {
    takes: ['sheet', 'heights: {"1": 20}'],
    does: 'sets the heights of rows',
    synonyms: ['set_row_height', 'row_height'],
    meant: meantSizes('heights', ['row', 'rows'], 'height'),
  },
  find_replace: {
    takes: ['search', 'replace', 'sheet?', 'range?', 'replacements?: [{search, replace}]'],
    understands: [
      ...['find', 'regex', 'match_case', 'case_sensitive', 'nth', 'replacements'],
      ...['whole_word', 'whole_cell', 'formulas'],
    ],
    does: 'replaces text wherever cells contain it',
    synonyms: ['replace', 'replace_text', 'find_and_replace'],
    meant: meantReplacement,
  },
  insert_rows: {
    takes: ['sheet', 'at', 'count?'],
    understands: ['like', 'before', 'row'],
    does: 'inserts rows that look like their neighbours',
    synonyms: ['insert_row', 'add_blank_rows', 'insert_blank_rows'],
  },
  delete_rows: {
    takes: ['sheet', 'rows?', 'where?'],
    understands: ['row', 'range', 'at', 'count'],
    does: 'deletes rows by place or by a condition on a column',
    synonyms: ['delete_row', 'remove_rows', 'remove_row'],
  },
  insert_columns: {
    takes: ['sheet', 'at', 'count?'],
    understands: ['like', 'before', 'column'],
    does: 'inserts columns that look like their neighbours',
    synonyms: ['insert_column', 'add_column', 'add_columns'],
  },
  delete_columns: {
    takes: ['sheet', 'columns'],
    understands: ['column', 'at', 'count'],
    does: 'deletes columns',
    synonyms: ['delete_column', 'remove_columns', 'remove_column'],
  },
  append_rows: {
    takes: ['sheet', 'values?', 'records?'],
    understands: ['table', 'range'],
    does: 'appends rows below the data and above totals, with formats, formulas and ranges',
    synonyms: [
      ...['append_row', 'append_data', 'append_values', 'append_records', 'append'],
      ...['add_rows', 'add_row', 'add_data', 'add_records', 'add_record', 'add_values'],
    ],
    meant: meantAppend,
  },
  sort_range: {
    takes: ['sheet', 'range', 'by'],
    understands: ['header', 'table', 'keys', 'column'],
    does: 'sorts the rows of a range by columns',
    synonyms: ['sort', 'sort_rows', 'sort_table', 'sort_sheet'],
  },
  move_range: {
    takes: ['sheet', 'range', 'to'],
    understands: ['overwrite'],
    does: 'moves cells; references to them follow',
    synonyms: ['move_cells', 'cut_range', 'cut_paste'],
  },
  copy_range: {
    takes: ['sheet', 'range | from: {path, sheet, range}', 'to', 'what?'],
    understands: ['to_sheet', 'range', 'from'],
    files: ['from'],
    does: 'copies cells, within the workbook or from another one: all, values, formulas or formats',
    synonyms: ['copy_cells', 'copy_paste', 'paste_range'],
    lacks: lacksSource,
  },
  fill: {
    takes: ['sheet', 'range', 'from?', 'series?', 'pattern?', 'formula?'],
    understands: ['direction', 'locale'],
    does: 'copies first cells over a range, goes on with their pattern, or fills in a series or a formula',
    synonyms: [
      'fill_down',
      'fill_right',
      'fill_series',
      'fill_formula',
      'autofill',
      'auto_fill',
      'fill_range',
    ],
  },
  remove_duplicates: {
    takes: ['sheet', 'range', 'columns?'],
    understands: ['header', 'table'],
    does: 'removes rows that occur above',
    synonyms: ['deduplicate', 'dedupe', 'drop_duplicates', 'delete_duplicates'],
  },
  convert_cells: {
    takes: ['sheet', 'range', 'to'],
    understands: ['locale', 'separator'],
    does: 'converts text to numbers or dates, values to text, trims or splits',
    synonyms: ['convert', 'convert_range', 'text_to_number', 'text_to_columns', 'split_column'],
  },
  replace_values: {
    takes: ['map', 'sheet?', 'range?'],
    does: 'replaces whole cells by their values',
    synonyms: ['map_values', 'translate_cells'],
  },
  freeze_values: {
    takes: ['sheet', 'range?'],
    does: 'replaces formulas by the values they show',
    synonyms: ['freeze', 'freeze_formulas', 'formulas_to_values', 'paste_values', 'values_only'],
    meant: meantRange,
  },
  transform_cells: {
    takes: ['sheet', 'range', 'steps'],
    understands: ['locale', 'wrap_formulas'],
    does: 'calculates or rewrites values in their cells',
    synonyms: ['transform', 'transform_range', 'calculate_cells', 'change_values', 'adjust_values'],
    meant: meantSteps,
  },
  unpivot: {
    takes: ['sheet', 'range', 'keep', 'to', 'names?'],
    understands: ['columns', 'table', 'overwrite'],
    does: 'turns columns into rows, as values at a new place',
    synonyms: ['melt', 'unpivot_columns', 'wide_to_long'],
  },
  pivot_rows: {
    takes: ['sheet', 'range', 'rows', 'columns', 'values', 'to', 'function?'],
    understands: ['table', 'overwrite', 'separator'],
    does: 'turns rows into columns, or brings groups together, as values at a new place',
    synonyms: ['long_to_wide', 'group_rows', 'crosstab'],
  },
  subtotal_rows: {
    takes: ['sheet', 'range', 'by', 'columns', 'function?'],
    understands: ['names'],
    does: 'inserts a subtotal below each group of rows, and a grand total, in outline groups',
    synonyms: ['subtotal', 'subtotals', 'add_subtotals', 'insert_subtotals'],
  },
  insert_cells: {
    takes: ['sheet', 'range', 'shift'],
    does: 'inserts cells and moves those beside them down or right',
  },
  delete_cells: {
    takes: ['sheet', 'range', 'shift'],
    does: 'deletes cells and moves those beside them up or left',
    synonyms: ['remove_cells'],
  },
  ...LOOK_OPERATIONS,
  ...OBJECT_OPERATIONS,
} as const satisfies Readonly<Record<string, OperationDeclaration>>

export type OperationName = keyof typeof OPERATIONS

/** The arguments of an operation, as its declaration gives them. */
export type WorkbookArgs<Name extends OperationName> = ArgsOf<(typeof OPERATIONS)[Name]>

const WITH_WORDS = Object.fromEntries(
  Object.entries(OPERATIONS).map(([op, own]) => [op, { ...own, ...lookUp(DESCRIBED, op) }]),
)

export const WORKBOOK_OPERATIONS: OperationTable = {
  operations: WITH_WORDS,
  fields: FIELDS,
  example: '{"op": "set_cells", "sheet": "Sheet1", "cells": [{"cell": "A1", "value": 1}]}',
  guidance: usage => [
    `${usage('set_range')} writes a block of rows; ${usage('set_cells')} single cells; ${usage('ensure_sheet')} creates a sheet when it is missing.`,
    'A value is a number, text, true, false, null (clears), {formula: "SUM(A1:A3)"}, {date: "2026-01-31"}, {error: "#N/A"} or {rich_text: [{text, bold}]}; text that starts with "=" stays text unless you send {formula} or formulas: true.',
    `${[
      usage('rename_sheet', 'copy_sheet'),
      usage('move_sheet'),
      usage('delete_sheet'),
      usage('clear_range', 'merge_cells', 'unmerge_cells'),
      usage('hide', 'show'),
      usage('set_column_widths'),
      usage('set_row_heights'),
      usage('find_replace'),
      usage('insert_rows', 'insert_columns'),
      usage('delete_rows'),
      usage('delete_columns'),
      usage('append_rows'),
      usage('sort_range'),
      usage('move_range'),
      usage('copy_range'),
      usage('fill'),
      usage('remove_duplicates'),
      usage('convert_cells'),
      usage('replace_values'),
      usage('freeze_values'),
      usage('transform_cells'),
      usage('unpivot'),
      usage('pivot_rows'),
      usage('subtotal_rows'),
      usage('insert_cells', 'delete_cells'),
    ].join('; ')}.`,
    `Objects: ${Object.keys(OBJECT_OPERATIONS)
      .map(op => usage(op))
      .join('; ')}.`,
    `Looks: ${Object.keys(LOOK_OPERATIONS)
      .map(op => usage(op))
      .join('; ')}. read_file with styles: true tells looks in the words that style takes.`,
    'Formatting, charts and everything you do not name stay as they are. For a translated or changed copy pass copy_from.',
  ],
  allows: {
    protected: 'Edit even if the sheet is protected',
    breakSignature: 'Edit even if that breaks a signature',
  },
  shared: ['sheet', 'sheet_name', 'worksheet', 'tab'],
  guess: opOf,
  advice: ADVICE,
  instead: INSTEAD,
}
