// Every view of the window, in the order of its keys.

import { timelineView } from '../views/timeline/index.ts'
import type { ViewDefinition } from '../views/view.ts'

export const views: readonly ViewDefinition[] = [timelineView]
