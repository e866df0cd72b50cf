// The only list of formats: a format is its folder and its line here. The line's name is the format's id.
export { text } from './text/facts.ts'
export { xlsx } from './xlsx/facts.ts'
