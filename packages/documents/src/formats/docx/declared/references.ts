import type { OperationDeclaration } from '../../../operation-table.ts'

/** Operations on bookmarks, captions, contents and document properties. */
export const REFERENCE_OPERATIONS = {
  set_bookmark: {
    takes: ['name', 'search?', 'place?'],
    understands: ['regex', 'nth', 'match_case', 'whole_word', 'track'],
    does: 'puts a bookmark on the matched text or a paragraph, or moves it there',
    synonyms: ['add_bookmark', 'insert_bookmark', 'create_bookmark'],
  },
  delete_bookmark: {
    takes: ['name'],
    understands: ['track'],
    does: 'deletes a bookmark; its text stays',
    synonyms: ['remove_bookmark'],
  },
  insert_cross_reference: {
    takes: ['target', 'search?', 'place?', 'show?'],
    understands: ['regex', 'nth', 'match_case', 'whole_word', 'track'],
    does: 'refers to a heading, numbered paragraph, bookmark or caption behind the matched text; Word keeps it up to date',
    synonyms: ['cross_reference', 'add_cross_reference', 'insert_reference', 'add_reference'],
  },
  insert_caption: {
    takes: ['text', 'caption_label?', 'after | before'],
    understands: ['after', 'before', 'track'],
    does: 'adds a numbered caption',
    synonyms: ['add_caption', 'caption'],
  },
  insert_toc: {
    takes: ['after | before', 'levels?'],
    understands: ['after', 'before', 'track'],
    does: 'adds a table of contents, which Word fills in when it opens the file',
    synonyms: ['add_toc', 'insert_table_of_contents', 'add_table_of_contents', 'table_of_contents'],
  },
  set_properties: {
    takes: ['properties: {title, author, …}'],
    understands: ['track'],
    does: 'sets document properties',
    synonyms: ['set_document_properties', 'set_metadata', 'update_properties'],
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
