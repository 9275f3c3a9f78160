import { Link } from '@tanstack/react-router'
import { words } from '../words/words.ts'

export function NotFound() {
  return (
    <div className="problem">
      <h1>{words.fault.notFound}</h1>
      <p>{words.fault.notFoundAbout}</p>
      <p>
        <Link to="/">{words.fault.home}</Link>
      </p>
    </div>
  )
}
