import { createRoot } from 'react-dom/client'
import '../style.css'
import { connectHost } from './host.ts'
import { HostReview } from './host-review.tsx'

const host = connectHost(window.parent)
host.onTheme(theme => {
  document.documentElement.dataset.theme = theme
})
const root = document.getElementById('root')
if (!root) throw new Error('review-app.html has no #root')
createRoot(root).render(<HostReview host={host} />)
