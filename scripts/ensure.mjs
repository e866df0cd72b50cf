// Makes the checkout ready for `npm start`, `npm test` or `npm run build`; quick when nothing changed.
// Uses Node alone, because it runs before anything is installed. Its first lines run on any Node.
import { refuseOldNode } from './node-version.mjs'

refuseOldNode()
import('./ensure/ensure.mjs').then(({ ensure }) => ensure(process.argv[2]))
