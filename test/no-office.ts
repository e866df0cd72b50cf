import { createOffice } from '@filewright/engine'

/** As where LibreOffice is not installed. */
export const NO_OFFICE = createOffice({ find: () => undefined })
