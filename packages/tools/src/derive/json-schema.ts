export interface JsonSchema {
  readonly [keyword: string]: unknown
}
