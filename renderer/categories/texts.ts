// Texts about categories.
import { textsOf } from '../i18n/part-texts.ts'

export const categoryText = textsOf('categories')
