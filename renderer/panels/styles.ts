// Style sheets of what views share.
import './canvas.css'
import './tools.css'
import './legend.css'
import './notes.css'
import './details.css'
import './tables.css'
