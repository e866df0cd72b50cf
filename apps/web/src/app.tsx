import { useMemo, useState } from 'react'
import { createApi } from './api.ts'
import { Sign } from './sign.tsx'
import { forgetToken, keepToken, takeToken } from './token.ts'
import { Workspaces } from './workspaces.tsx'

export function App() {
  const [token, setToken] = useState(takeToken)
  const [refused, setRefused] = useState(false)
  const api = useMemo(() => token && createApi(token), [token])

  if (!api) {
    return (
      <Sign
        refused={refused}
        onToken={given => {
          keepToken(given)
          setToken(given)
        }}
      />
    )
  }
  return (
    <Workspaces
      api={api}
      onRefused={() => {
        forgetToken()
        setRefused(true)
        setToken(undefined)
      }}
    />
  )
}
