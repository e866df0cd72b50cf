/** Looks up a name from outside: never finds inherited properties such as `constructor`. */
export function lookUp<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}
