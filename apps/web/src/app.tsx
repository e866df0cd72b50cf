import { useEffect, useMemo, useState } from 'react'
import { createApi } from './api.ts'
import { Sign } from './sign.tsx'
import { askForToken, forgetToken, keepToken, shareToken, takeToken } from './token.ts'
import { Workspaces } from './workspaces.tsx'

export function App() {
  const [token, setToken] = useState(takeToken)
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    if (token) return shareToken(token)
    if (refused) return
    return askForToken(given => {
      keepToken(given)
      setToken(given)
    })
  }, [token, refused])
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
