import { oneFile } from '../../scripts/ensure/one-file.mjs'

/** The library that speaks the protocol: only `mcp` and the route load it (decision 300). */
export default oneFile({
  root: import.meta.dirname,
  entry: 'src/protocol/sdk-main.ts',
  file: 'mcp-sdk.cjs',
})
