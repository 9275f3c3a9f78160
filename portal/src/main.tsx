/** Starts the app: who asks, what is remembered of answers, and which page the address names. */

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Connection, Refusal } from './api/connection.ts'
import { readCredentials } from './api/credentials.ts'
import '../../src/portal-server/styles/look.css'
import './look/shell.css'
import './look/parts.css'
import { makeRouter } from './router.tsx'
import { KeyForm } from './shell/key-form.tsx'
import { ThemeOf } from './shell/theme.ts'

/** An answer is good for this long: going back to a page then asks nothing. */
const freshMs = 20_000
/** Refusals of these kinds may pass by themselves. */
const isPassing = (error: Error): boolean =>
  error instanceof Refusal && (error.status === 0 || error.status === 503 || error.status === 429)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      retry: (count, error) => count < 2 && isPassing(error),
      retryDelay: (_, error) => (error instanceof Refusal ? (error.retryAfterS ?? 2) * 1_000 : 2_000),
    },
  },
})

ThemeOf.apply()
const place = document.getElementById('portal')
const credentials = readCredentials()
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      {credentials === null ? (
        <KeyForm />
      ) : (
        <QueryClientProvider client={queries}>
          <RouterProvider router={makeRouter({ connection: new Connection(credentials), queries })} />
        </QueryClientProvider>
      )}
    </StrictMode>,
  )
}
