/** Stands in a paragraph's text for something that is no text: a note, a picture, a field. */
export const TOKEN = '\ufffc'
