/** The version of the package; `version.test.ts` holds it to package.json. */
export const version = '0.1.0'
