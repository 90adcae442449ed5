// All style sheets, from the general to the particular.
import './base.css'
import './controls.css'
import './filter.css'
import './frame.css'
import './states.css'
import './dialogs.css'
