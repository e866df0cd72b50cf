import { lookUp } from '@filewright/protocol'
import type { OperationName } from '../declared/operations.ts'
import type { Carrier } from './carry.ts'
import { carryCleared, carryReplaced, carryValues, refuseAll } from './carry-cells.ts'
import {
  doubtOfDrawn,
  doubtOfHeader,
  doubtOfPivotCells,
  doubtOfShownText,
  onObject,
} from './carry-objects.ts'
import {
  carryNewSheet,
  doubtOfCopy,
  doubtOfDeleted,
  doubtOfDeletedSheet,
  doubtOfMerge,
  doubtOfName,
  doubtOfPlaces,
  doubtOfPosition,
  doubtOfResults,
  doubtOfRuns,
  doubtOfShown,
  doubtOfSubtotals,
  doubtOfUnmerge,
  onSheet,
} from './carry-sheets.ts'
import { doubtOfLooks, doubtOfPanes, doubtOfPrint, doubtOfRules } from './doubt-of-looks.ts'

/** How an operation is proven on bytes that somebody else saved, and carried to them. */
export interface OperationProof {
  readonly carry: Carrier
  /** What it moves besides: cells of a sheet, or the list of sheets. */
  readonly moves?: 'cells' | 'sheets'
}

const moving = (carry: Carrier): OperationProof => ({ carry, moves: 'cells' })
const listing = (carry: Carrier): OperationProof => ({ carry, moves: 'sheets' })
const still = (carry: Carrier): OperationProof => ({ carry })

/** Each operation has a proof of its own: the compiler asks for the line. */
export const PROOFS = {
  ensure_sheet: listing(carryNewSheet),
  delete_sheet: listing(onSheet(doubtOfDeletedSheet)),
  move_sheet: listing(onSheet(doubtOfPosition)),
  copy_sheet: listing(onSheet(doubtOfPlaces)),
  rename_sheet: still(onSheet(doubtOfName)),
  set_cells: still(carryValues),
  set_range: still(carryValues),
  clear_range: still(carryCleared),
  find_replace: still(carryReplaced),
  replace_values: still(onSheet(doubtOfPlaces)),
  convert_cells: still(onSheet(doubtOfPlaces)),
  transform_cells: still(onSheet(doubtOfPlaces)),
  fill: still(onSheet(doubtOfPlaces)),
  unpivot: still(onSheet(doubtOfResults)),
  pivot_rows: still(onSheet(doubtOfResults)),
  freeze_values: still(onSheet(doubtOfResults)),
  copy_range: still(onSheet(doubtOfCopy)),
  merge_cells: still(onSheet(doubtOfMerge)),
  unmerge_cells: still(onSheet(doubtOfUnmerge)),
  insert_rows: moving(onSheet(doubtOfPlaces)),
  insert_columns: moving(onSheet(doubtOfPlaces)),
  insert_cells: moving(onSheet(doubtOfPlaces)),
  append_rows: moving(onSheet(doubtOfPlaces)),
  delete_rows: moving(onSheet(doubtOfDeleted)),
  delete_columns: moving(onSheet(doubtOfDeleted)),
  delete_cells: moving(onSheet(doubtOfDeleted)),
  subtotal_rows: moving(onSheet(doubtOfSubtotals)),
  remove_duplicates: moving(onSheet(doubtOfDeleted)),
  sort_range: moving(onSheet(doubtOfDeleted)),
  move_range: moving(onSheet(doubtOfDeleted)),
  hide: still(onSheet(doubtOfShown)),
  show: still(onSheet(doubtOfShown)),
  set_column_widths: still(onSheet(doubtOfRuns)),
  set_row_heights: still(onSheet(doubtOfRuns)),
  group: still(onSheet(doubtOfRuns)),
  ungroup: still(onSheet(doubtOfRuns)),
  set_style: still(onSheet(doubtOfLooks)),
  clear_style: still(onSheet(doubtOfLooks)),
  conditional_format: still(onSheet(doubtOfRules)),
  freeze_panes: still(onSheet(doubtOfPanes)),
  auto_filter: still(onSheet(doubtOfDeleted)),
  print_setup: still(onSheet(doubtOfPrint)),
  add_table: still(onObject('table', doubtOfHeader)),
  edit_table: still(onObject('table')),
  remove_table: still(onObject('table')),
  define_name: still(onObject('name')),
  edit_name: still(onObject('name')),
  remove_name: still(onObject('name')),
  data_validation: still(onObject('validation')),
  remove_validation: still(onObject('validation')),
  set_comment: still(onObject('comment')),
  remove_comment: still(onObject('comment')),
  set_hyperlink: still(onObject('link', doubtOfShownText)),
  remove_hyperlink: still(onObject('link')),
  add_chart: still(onObject('drawing')),
  edit_chart: still(onObject('drawing', doubtOfDrawn)),
  remove_chart: still(onObject('drawing', doubtOfDrawn)),
  add_image: still(onObject('drawing')),
  replace_image: still(onObject('drawing', doubtOfDrawn)),
  move_image: still(onObject('drawing')),
  remove_image: still(onObject('drawing', doubtOfDrawn)),
  add_pivot: still(onObject('pivot')),
  edit_pivot: still(onObject('pivot', doubtOfPivotCells)),
  remove_pivot: still(onObject('pivot', doubtOfPivotCells)),
  protect: still(onObject('protection')),
  unprotect: still(onObject('protection')),
  set_properties: still(onObject('property')),
} as const satisfies Readonly<Record<OperationName, OperationProof>>

/** An operation without a proof of its own, such as one of a later release, is a conflict. */
export function proofOf(op: string): OperationProof {
  return lookUp<OperationProof>(PROOFS, op) ?? UNPROVEN
}

const UNPROVEN: OperationProof = {
  carry: task => refuseAll(task, `nothing proves ${task.logged.operation.op} on the changed file`),
  moves: 'cells',
}
