import { oneFile } from '../../scripts/ensure/one-file.mjs'

/** The library that speaks the protocol: only `acp` loads it (decision 360). */
export default oneFile({
  root: import.meta.dirname,
  entry: 'src/protocol/sdk-main.ts',
  file: 'acp-sdk.cjs',
})
