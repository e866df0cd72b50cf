import { removeComment, setComment } from './comment.ts'
import { addChart, removeChart } from './drawings/charts.ts'
import { editChart } from './drawings/edit-chart.ts'
import { addImage, moveImage, removeImage, replaceImage } from './drawings/images.ts'
import { removeHyperlink, setHyperlink } from './hyperlink.ts'
import { defineName, editName, removeName } from './names.ts'
import { addPivot, editPivot, removePivot } from './pivots/pivots.ts'
import { setProperties } from './properties.ts'
import { protect, unprotect } from './protect.ts'
import { addTable } from './tables/add-table.ts'
import { editTable } from './tables/edit-table.ts'
import { removeTable } from './tables/remove-table.ts'
import { dataValidation, removeValidation } from './validation.ts'

export const OBJECT_HANDLERS = {
  add_table: addTable,
  edit_table: editTable,
  remove_table: removeTable,
  define_name: defineName,
  edit_name: editName,
  remove_name: removeName,
  data_validation: dataValidation,
  remove_validation: removeValidation,
  set_comment: setComment,
  remove_comment: removeComment,
  set_hyperlink: setHyperlink,
  remove_hyperlink: removeHyperlink,
  add_chart: addChart,
  edit_chart: editChart,
  remove_chart: removeChart,
  add_image: addImage,
  replace_image: replaceImage,
  move_image: moveImage,
  remove_image: removeImage,
  add_pivot: addPivot,
  edit_pivot: editPivot,
  remove_pivot: removePivot,
  protect,
  unprotect,
  set_properties: setProperties,
}
